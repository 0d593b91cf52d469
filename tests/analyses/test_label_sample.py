"""Samples of labelled answers: what fits a design and what does not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from finassay.analyses.kernels.designs import Stratum
from finassay.analyses.label_sample import FrameUnit, LabelSample
from finassay.errors import UsageError
from label_samples import answers, by_item, labelled, plain

UNIT = FrameUnit(item_id="q", system="a", stratum="all")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: replace(UNIT, state="labelled"), "a label must be present exactly when"),
        (lambda: replace(UNIT, label=1.0), "a label must be present exactly when"),
        (lambda: replace(UNIT, judge=1.5), r"`judge` must be in \[0, 1\], got 1.5"),
        (lambda: LabelSample(judge="j", units=(UNIT, UNIT)), r"each \(item, system\) once"),
        (lambda: LabelSample(judge="j", units=()), "a sample needs answers"),
        (
            lambda: LabelSample(
                judge="j", units=(UNIT,), strata=(Stratum(name="all", size=1, take=1),)
            ),
            r"planned with \(size, drawn\) \(1, 1\), the units give \(1, 0\)",
        ),
        (
            lambda: LabelSample(
                judge="j",
                units=(labelled(UNIT, 1.0), replace(UNIT, system="b")),
                strata=(Stratum(name="all", size=1, take=1),),
                unit="item",
            ),
            "was drawn for some systems and not for others",
        ),
        (
            lambda: LabelSample(
                judge="j",
                units=(labelled(UNIT, 1.0), labelled(replace(UNIT, system="b", stratum="x"), 0.0)),
                strata=(Stratum(name="all", size=1, take=1),),
                unit="item",
            ),
            "stands in two strata, though items were drawn",
        ),
    ],
)
def test_a_sample_that_does_not_fit_is_refused(make: Callable[[], object], message: str):
    with pytest.raises(UsageError, match=message):
        make()


def test_a_drawn_sample_fits_its_design():
    sample = by_item(answers(items=20), total=5)
    assert sample.systems == ("alpha", "beta")
    assert not sample.is_convenience
    assert sum(one.label is not None for one in sample.units) == 10
    assert replace(plain(answers(items=20), total=5), strata=()).is_convenience
