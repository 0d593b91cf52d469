"""What is still to ask, what systems are called, and how replies come into the tables."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from finassay.benchmarks.bundled import load_bundled
from finassay.errors import InputError, UnknownNameError, UsageError
from finassay.records import Item, Prediction, SystemSpec
from finassay.runs.choosing import items_to_run
from finassay.runs.journal import Receipt, open_journal
from finassay.runs.landing import Landed, land
from finassay.runs.pilots import project
from finassay.runs.plan import Scope, plan_system, run_id_of, stratum_of
from finassay.runs.requests import Asking, Decoding, Effort
from finassay.runs.running import RunRequest, blocks_of
from finassay.runs.shots import Shots
from finassay.study import Study
from finassay.study.redact import redact
from finassay.study.rows import predictions_frame, runs_from

MODEL = "openai/m"
ITEMS = tuple(
    Item(item_id=f"q{n}", benchmark="b", task="t", question=f"How many are {n}?", reference="1")
    for n in range(4)
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(tmp_path / "study")
    made.add_items(ITEMS, benchmark="b")
    return made


def receive(study: Study, spec: SystemSpec, *receipts: Receipt) -> Landed:
    with open_journal(study.root, spec.system_id) as journal:
        for one in receipts:
            journal.add(one)
        return land(study, spec, journal)


def reply(item_id: str, text: str = "one", **told: object) -> Receipt:
    fields: dict[str, object] = {"finish": "stop", "at": "2026-01-01T00:00:01", "trial": 0}
    return Receipt(item_id=item_id, text=text, **(fields | told))  # type: ignore[arg-type]


def failure(item_id: str) -> Receipt:
    return reply(item_id, "", finish="error", flags=("error:server",))


def texts(study: Study) -> dict[str, str]:
    frame = study.snapshot().frame("predictions")
    return dict(frame.select("item_id", "text").iter_rows())


# Plans


def test_what_is_answered_is_not_asked_and_what_failed_is(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, reply("q0"), reply("q1", "", finish="empty"), failure("q2"))
    plan = plan_system(spec, ITEMS, trials=1, asking=Asking(), snapshot=study.snapshot())
    assert [job.key for job in plan.jobs] == [("q2", 0), ("q3", 0)]
    assert (plan.held, plan.again) == (2, 1)


def test_every_trial_is_an_answer_of_its_own(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, reply("q0", trial=1))
    plan = plan_system(spec, ITEMS[:2], trials=2, asking=Asking(), snapshot=study.snapshot())
    assert [job.key for job in plan.jobs] == [("q0", 0), ("q1", 0), ("q1", 1)]


def test_what_another_source_filed_stays_as_it_is(study: Study):
    spec = Asking().system(MODEL)
    study.add_system(spec)
    other = Prediction(item_id="q0", system_id=spec.system_id, finish="error", run_id="import")
    partition = {"system_id": spec.system_id, "run_id": "import"}
    study.commit("predictions", predictions_frame([other]), partition=partition)
    plan = plan_system(spec, ITEMS, trials=1, asking=Asking(), snapshot=study.snapshot())
    assert [job.key[0] for job in plan.jobs] == ["q1", "q2", "q3"]


def test_blocks_keep_order_and_hold_no_item_twice(study: Study):
    spec = Asking().system(MODEL)
    plan = plan_system(spec, ITEMS, trials=2, asking=Asking(), snapshot=None)
    blocks = list(blocks_of(plan.jobs, 3))
    assert [len(block) for block in blocks] == [3, 1, 3, 1]
    assert [job for block in blocks for job in block] == list(plan.jobs)


def test_a_pilot_takes_a_few_of_each_stratum():
    items = load_bundled("finassay-regqa")
    drawn = Scope(pilot=2).of(items)
    strata = {stratum_of(item) for item in items}
    counts = [sum(stratum_of(item) == stratum for item in drawn) for stratum in strata]
    assert counts == [2] * len(strata)
    assert drawn == tuple(item for item in items if item in drawn)
    assert drawn == Scope(pilot=2).of(items)


def test_a_limit_takes_the_first_items():
    assert Scope(limit=2).of(ITEMS) == ITEMS[:2]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"limit": 1, "pilot": 1}, "got both `limit` and `pilot`"),
        ({"trials": 0}, "`trials` must be at least 1, got 0"),
        ({"pilot": 0}, "`pilot` must be at least 1, got 0"),
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(told: dict[str, int], said: str):
    with pytest.raises(UsageError, match=said):
        Scope(**told)


def test_a_projection_weighs_strata_by_their_size(study: Study):
    items = tuple(
        Item(item_id=f"{task}{n}", benchmark="p", task=task, question="?", reference="1")
        for task, count in (("short", 30), ("long", 10), ("unseen", 5))
        for n in range(count)
    )
    study.add_items(items, benchmark="p")
    spec = Asking().system(MODEL)
    receive(
        study,
        spec,
        reply("short0", tokens_in=10, tokens_out=2, cost_usd=1.0),
        reply("short1", tokens_in=20, tokens_out=4, cost_usd=None),
        reply("long0", tokens_in=100, tokens_out=None),
        failure("long1"),
    )
    found = project(study.snapshot(), items, spec, trials=2)
    assert (found.answers, found.requests, found.unseen) == (3, 90, 10)
    assert found.tokens_in == 2 * (30 * 15 + 10 * 100)
    assert found.tokens_out == 2 * 30 * 3
    assert found.usd == 2 * 30 * 1.0


def test_a_projection_from_nothing_has_no_values(study: Study):
    found = project(study.snapshot(), ITEMS, Asking().system(MODEL), trials=1)
    assert (found.answers, found.tokens_in, found.tokens_out, found.usd) == (0, None, None, None)


# Systems


def test_everything_that_decides_an_answer_makes_another_system():
    pool = Shots(pool=ITEMS, count=1)
    ways = [
        Asking(),
        Asking(arm="exact-answer"),
        Asking(thinking="no-think"),
        Asking(thinking="effort-none"),
        Asking(decoding=Decoding(budget=1024)),
        Asking(decoding=Decoding(temperature=0.0)),
        Asking(decoding=Decoding(temperature=0.7)),
        Asking(decoding=Decoding(seed=1)),
        Asking(decoding=Decoding(stop=("\n",))),
        Asking(decoding=Decoding(effort="low")),
        Asking(decoding=Decoding(effort="high")),
        Asking(model_args={"service_tier": "flex"}),
        Asking(provider="mine"),
        Asking(shots=pool),
    ]
    specs = [way.system(MODEL) for way in ways]
    assert len({spec.system_id for spec in specs}) == len(ways)
    assert len({spec.name for spec in specs}) == len(ways)
    assert specs[0].name == MODEL


def test_how_hard_a_provider_is_asked_changes_nothing():
    few = RunRequest(
        items=ITEMS, models=(MODEL,), effort=Effort(connections=1, base_url="http://a")
    )
    many = RunRequest(items=ITEMS[:1], models=(MODEL,), effort=Effort(connections=9))
    assert few.systems() == many.systems()


def test_a_baseline_is_known_as_one():
    spec = Asking().system("finassay/constant")
    assert (spec.kind, spec.model_family, spec.provider) == ("baseline", "baseline", "finassay")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Asking().system("gpt"), "a model is named PROVIDER/MODEL"),
        (lambda: Asking(model_args={"api_key": "x"}), "'api_key' looks like a secret"),
        (lambda: Asking(model_args={"auth_token": "x"}), "'auth_token' looks like a secret"),
        (lambda: Asking(model_args={"auth": "Bearer abcdef99999"}), "'auth' looks like a secret"),
        (lambda: Asking(model_args={"base_url": "x"}), "has an option of its own"),
        (lambda: Asking(thinking="never"), "`thinking` must be one of"),  # type: ignore[arg-type]
        (
            lambda: Asking(thinking="effort-none", decoding=Decoding(effort="low")),
            "asks for 'low'; give one of them",
        ),
        (lambda: Decoding(budget=0), "`budget` must be at least 1 token, got 0"),
        (lambda: Decoding(temperature=-1), "`temperature` must be at least 0"),
        (lambda: Decoding(effort="extreme"), "`effort` must be one of"),  # type: ignore[arg-type]
        (lambda: Effort(connections=0), "`connections` must be at least 1"),
        (lambda: Effort(max_cost_usd=-1), "`max_cost_usd` must be at least 0"),
        (lambda: RunRequest(items=ITEMS, models=()), "a run needs a model"),
        (lambda: RunRequest(items=(), models=(MODEL,)), "there are no items to ask"),
        (lambda: RunRequest(items=ITEMS, models=(MODEL, MODEL)), "is named twice"),
        (
            lambda: RunRequest(items=ITEMS, models=(MODEL, "a/b"), asking=Asking(name="x")),
            "cannot stand for 2 models",
        ),
    ],
)
def test_a_request_that_cannot_be_carried_out_is_refused(make: object, said: str):
    with pytest.raises(UsageError, match=said):
        make()  # type: ignore[operator]


# Landing


def test_landing_twice_changes_nothing(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, reply("q0", tries=3), failure("q1"))
    before = {name: study.snapshot().digest(name) for name in study.snapshot().versions}
    landed = receive(study, spec, reply("q0", tries=3), failure("q1"))
    assert landed == Landed(answers=0, errors=1)
    assert {name: study.snapshot().digest(name) for name in study.snapshot().versions} == before
    (run,) = runs_from(study.snapshot().frame("runs"))
    assert run.retries == 2


def test_the_first_answer_stays_and_an_error_gives_way(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, failure("q0"), reply("q1", "first"))
    receive(study, spec, reply("q0", "late"), reply("q1", "second"), failure("q1"))
    assert texts(study) == {"q0": "late", "q1": "first"}


def test_two_receipts_of_one_item_in_a_journal_give_the_first_answer(study: Study):
    spec = Asking().system(MODEL)
    landed = receive(study, spec, failure("q0"), reply("q0", "first"), reply("q0", "second"))
    assert texts(study) == {"q0": "first"}
    assert landed == Landed(answers=1, errors=0)


def test_what_was_redacted_stays_so_when_more_comes(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, reply("q0", "John Smith"))
    digest = study.snapshot().frame("predictions")["text_digest"].to_list()
    redact(study, pattern="John Smith")
    receive(study, spec, reply("q1", "two"))
    frame = study.snapshot().frame("predictions").filter(pl.col("item_id").eq("q0"))
    assert frame["text"].to_list() == ["[redacted]"]
    assert frame["text_digest"].to_list() == digest
    assert frame["flags"].to_list() == [["redacted"]]


def test_a_run_that_goes_on_is_one_run(study: Study):
    spec = Asking().system(MODEL)
    receive(study, spec, reply("q0", served_model="m-1", tries=2, at="2026-01-01T00:00:01"))
    receive(study, spec, reply("q1", served_model="m-2", tries=4, at="2026-01-02T00:00:01"))
    (run,) = runs_from(study.snapshot().frame("runs"))
    assert run.run_id == run_id_of(spec.system_id)
    assert (run.started, run.ended) == ("2026-01-01T00:00:01", "2026-01-02T00:00:01")
    assert (run.served_model, run.retries) == ("m-1, m-2", 4)


def test_an_empty_journal_makes_no_system(study: Study):
    assert receive(study, Asking().system(MODEL)) == Landed()
    assert study.snapshot().systems() == []


# Benchmarks


def test_a_benchmark_is_taken_as_the_study_holds_it(study: Study):
    assert items_to_run(study, "b") == ITEMS


def test_a_bundled_benchmark_is_added_once(study: Study):
    items = items_to_run(study, "finassay-regqa")
    version = study.snapshot().versions["items"]
    assert set(items) == set(load_bundled("finassay-regqa"))
    assert items_to_run(study, "finassay-regqa") == items
    assert study.snapshot().versions["items"] == version
    assert items_to_run(None, "finassay-regqa") == items


def test_items_come_from_a_file_with_or_without_a_study(study: Study, tmp_path: Path):
    path = tmp_path / "mine.csv"
    path.write_text("id,question,answer\nx1,How many?,7\n", encoding="utf-8")
    (alone,) = items_to_run(None, str(path))
    (held,) = items_to_run(study, str(path))
    assert alone == held
    assert (held.benchmark, held.item_id, held.reference) == ("mine", "x1", "7")


def test_an_unknown_benchmark_is_refused_with_those_there_are(study: Study):
    with pytest.raises(UnknownNameError, match="expected a file of items, or one of b, finassay-"):
        items_to_run(study, "nothing")


def test_a_file_without_items_is_refused(study: Study, tmp_path: Path):
    path = tmp_path / "mine.csv"
    path.write_text("id,question,answer\n,,\n", encoding="utf-8")
    with pytest.raises(InputError, match="1 row cannot be used"):
        items_to_run(study, str(path))


def test_a_file_with_two_references_of_an_item_is_not_run_with_the_first(
    study: Study, tmp_path: Path
):
    path = tmp_path / "mine.csv"
    path.write_text("id,question,answer\nx,How many?,7\nx,How many?,8\n", encoding="utf-8")
    for where in (study, None):
        with pytest.raises(InputError, match=r"another row for item 'x' differs(?s:.*)the run"):
            items_to_run(where, str(path))
