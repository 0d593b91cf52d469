"""At-cap rates against changes of score."""

import numpy as np
import pytest
from scipy import stats

from finassay.analyses.configuration.association import at_cap_association
from finassay.analyses.estimates import count_rate
from printed_tables import TABLE_13

# Replies at the cap on 344 items: counted in the released files, the two repaired systems as
# appendix F.6 prints them (0.3%), Gemma 3 4B from the printed sum of 554.
AT_CAP = {
    "LLaMA-3-8B": 1,
    "Mistral-7B": 1,
    "Gemma 3 4B": 14,
    "GPT-OSS 120B": 69,
    "GPT-OSS 20B": 48,
    "DeepSeek-R1-Distill": 67,
    "LLaMA-3.3-70B": 66,
    "Llama 4 Scout 17B": 59,
    "Kimi K2": 26,
    "Qwen3-32B": 82,
    "Gemini 2.5 Flash": 107,
}
GEMINI_PRO = 14


def test_the_printed_correlation_of_the_ten_models_is_found():
    # arXiv 2604.19298, appendices F.6 (554 rows) and G.3 (r = -0.77 without DeepSeek-R1-Distill).
    assert sum(AT_CAP.values()) + GEMINI_PRO == 554
    found = at_cap_association(
        {name: count_rate(k, 344) for name, k in AT_CAP.items()},
        {name: float(row[0]) / 100 for name, row in TABLE_13.items()},
        {name: float(row[1]) / 100 for name, row in TABLE_13.items()},
        names=("original", "matched"),
        leave_out=["DeepSeek-R1-Distill"],
    )
    assert found.n == 10
    assert round(found.pearson, 2) == -0.77
    (left,) = (point for point in found.points if point.left_out)
    assert round(100 * left.change, 2) == 10.59
    assert left.r_without is None


def test_r_without_each_system_is_r_of_the_others():
    rng = np.random.default_rng(0)
    k, change = rng.integers(0, 100, size=6), rng.normal(size=6)
    names = [f"s{at}" for at in range(6)]
    found = at_cap_association(
        {name: count_rate(int(n), 100) for name, n in zip(names, k, strict=True)},
        dict.fromkeys(names, 0.0),
        dict(zip(names, change.tolist(), strict=True)),
        names=("a", "b"),
    )
    assert found.pearson == pytest.approx(stats.pearsonr(k, change)[0])
    for at, one in enumerate(found.points):
        kept = np.arange(6) != at
        assert one.r_without == pytest.approx(stats.pearsonr(k[kept], change[kept])[0])


def test_systems_without_a_score_are_named_and_two_give_no_coefficient():
    rates = {name: count_rate(at, 10) for at, name in enumerate("abc")}
    found = at_cap_association(rates, {"a": 0.1, "b": 0.2}, {"a": 0.3, "b": 0.1}, names=("x", "y"))
    assert (found.n, found.pearson, found.pearson_p, found.missing) == (2, None, None, ("c",))
    assert "one of 2 systems" in found.warnings[0]
