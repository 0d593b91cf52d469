import re
from pathlib import Path

import pytest
from sqlalchemy import text

from finassay.errors import StudyError, UnknownNameError, UsageError
from finassay.study import Study
from finassay.study.check import check
from finassay.study.labels import Label, LabelStore
from finassay.study.redact import redact
from finassay.study.retrieved import Found, found_for, keep_found
from study_samples import OTHER, SYSTEM, answers, in_run, item, marks, of_scorer

NAME = "Erika Mustermann"


def bytes_with(root: Path, needle: str) -> list[str]:
    raw = needle.encode()
    files = [path for path in root.rglob("*") if path.is_file()]
    return [str(path.relative_to(root)) for path in files if raw in path.read_bytes()]


@pytest.fixture
def named(study: Study) -> Study:
    """The small study with a name in items, predictions, verdicts, notes and older versions."""
    asked = [item("00", question=f"Who is {NAME}?", reference=NAME), item("01"), item("02")]
    study.add_items(asked, benchmark="demo")
    study.commit("predictions", answers(suffix=f" by {NAME} {NAME}"), partition=in_run())
    study.commit("verdicts", marks(study, value=0.5), partition=of_scorer("exact"))
    with LabelStore.of(study) as store:
        ours = {"annotator": "ann", "item_id": "00", "label": "y", "value": 1.0}
        store.record(Label(**ours, system_id=SYSTEM.system_id, note=f"{NAME} called"))
        store.record(Label(**ours, system_id=OTHER.system_id, note="nobody called"))
    return study


def test_a_pattern_is_gone_from_every_byte_of_the_study(named: Study):
    assert bytes_with(named.root, NAME)
    report = redact(named, pattern="Erika\\s+Mustermann")
    assert report.rows == {"items": 1, "predictions": 3, "verdicts": 3}
    assert (report.labels, report.keys_matching) == (1, 0)
    assert report.files > 0
    for needle in ("Erika", "Mustermann"):
        assert bytes_with(named.root, needle) == []


def test_texts_are_masked_and_values_kept(named: Study):
    before = named.snapshot().frame("verdicts")
    redact(named, pattern=NAME, mask=r"\1 <gone>")
    snapshot = named.snapshot()
    assert snapshot.items()[0].question == r"Who is \1 <gone>?"
    texts = snapshot.frame("predictions", system_id=SYSTEM.system_id)["text"].to_list()
    assert texts[0] == r"answer 0 of alpha by \1 <gone> \1 <gone>"
    after = snapshot.frame("verdicts")
    assert after["value"].equals(before["value"])
    assert after["status"].equals(before["status"])
    other = snapshot.frame("predictions", system_id=OTHER.system_id)["text"].to_list()
    assert other == [f"answer {i} of beta" for i in range(3)]
    with LabelStore.of(named) as store:
        notes = {one.label.note for one in store.history()}
    assert notes == {r"\1 <gone> called", "nobody called"}


def test_redacted_rows_are_noted_and_not_called_corrupt_or_stale(named: Study):
    redact(named, pattern=NAME)
    report = check(named)
    assert report.is_clean
    found = [(problem.severity, problem.table, problem.n) for problem in report.problems]
    assert found == [("note", "items", 1), ("note", "predictions", 3), ("note", "verdicts", 3)]


def test_a_second_redaction_changes_nothing(named: Study):
    redact(named, pattern=NAME)
    digests = named.snapshot().digests()
    again = redact(named, pattern=NAME)
    assert (dict(again.rows), again.labels, again.files) == ({}, 0, 0)
    assert named.snapshot().digests() == digests


def test_an_older_version_says_that_it_was_removed(named: Study):
    redact(named, pattern=NAME)
    with pytest.raises(StudyError, match="removed by a redaction; read the latest"):
        named.snapshot({"predictions": 1})


def test_all_words_of_a_system_are_dropped_and_its_values_kept(named: Study):
    report = redact(named, systems=["alpha"])
    assert report.rows == {"predictions": 3, "verdicts": 3}
    assert report.labels == 1
    snapshot = named.snapshot()
    rows = snapshot.frame("predictions", system_id=SYSTEM.system_id)
    assert rows["text"].to_list() == ["", "", ""]
    verdicts = snapshot.frame("verdicts")
    assert verdicts["extracted"].to_list() == ["", "", ""]
    assert verdicts["value"].to_list() == [0.5] * 3
    assert bytes_with(named.root, "of alpha") == []
    assert bytes_with(named.root, "of beta") != []


def test_a_pattern_within_one_system_leaves_the_others(named: Study):
    report = redact(named, pattern="answer", systems=["beta"])
    assert report.rows == {"predictions": 3}
    texts = named.snapshot().frame("predictions")["text"].to_list()
    assert sum(text.startswith("answer") for text in texts) == 3


def test_only_the_tables_asked_for_are_masked(named: Study):
    assert redact(named, pattern=NAME, tables=["items"]).rows == {"items": 1}


def test_keys_that_match_are_counted_because_they_stay(named: Study):
    assert redact(named, pattern="^00$", tables=["predictions"]).keys_matching == 2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, UsageError, "needs a pattern or systems"),
        ({"systems": []}, UsageError, "needs a pattern or systems"),
        ({"pattern": "("}, UsageError, r"not a regular expression, got '\('"),
        ({"pattern": "x*"}, UsageError, "must not match the empty text"),
        ({"systems": ["gamma"]}, UnknownNameError, "no system 'gamma'"),
        ({"pattern": "x", "tables": ["texts"]}, UnknownNameError, "no table 'texts'"),
    ],
)
def test_a_redaction_that_cannot_be_meant_is_refused(
    study: Study, options: dict[str, str], error: type[Exception], message: str
):
    with pytest.raises(error, match=message):
        redact(study, **options)


def test_a_label_of_not_sure_survives_a_pattern_that_matches_it(study: Study):
    with LabelStore.of(study) as store:
        store.record(Label(annotator="a", item_id="00", system_id=SYSTEM.system_id))
    redact(study, pattern="sure")
    with LabelStore.of(study) as store:
        assert [one.label.label for one in store.current()] == ["not sure"]


@pytest.mark.postgres
def test_notes_in_a_database_are_masked(named: Study):
    from postgres_server import throw_away_server  # noqa: PLC0415

    with throw_away_server() as url:
        with LabelStore(url) as store:
            said = {"annotator": "a", "item_id": "00", "system_id": SYSTEM.system_id}
            store.record(Label(**said, note=f"ask {NAME}"))
        assert redact(named, pattern=NAME, labels_url=url).labels == 1
        with LabelStore(url) as store, store.engine.connect() as connection:
            row = connection.execute(text("SELECT note FROM labels")).one()
    assert re.fullmatch(r"ask \[redacted\]", row[0])


def found(text: str, *, item_id: str = "00", rank: int = 1) -> Found:
    place = f"rules.txt#0-{len(text)}"
    return Found(
        item_id=item_id, rank=rank, chunk_id=place, score=1.5, text=text, index="0123456789abcdef"
    )


def test_passages_that_open_book_systems_were_asked_with_are_masked_by_pattern(named: Study):
    kept = [found(f"Sent by {NAME}."), found("Nobody.", rank=2)]
    path = keep_found(named, SYSTEM.system_id, kept)
    path.with_name(".half-written.jsonl.tmp").write_text(NAME, encoding="utf-8")
    report = redact(named, pattern=NAME)
    assert report.rows["retrieved"] == 1
    assert bytes_with(named.root, NAME) == []
    first, second = found_for(named, SYSTEM.system_id)
    assert (first.text, first.chunk_id) == ("Sent by [redacted].", kept[0].chunk_id)
    assert second == kept[1]
    assert redact(named, pattern=NAME).rows == {}


def test_passages_of_other_systems_stay_when_systems_are_named(named: Study):
    for spec in (SYSTEM, OTHER):
        keep_found(named, spec.system_id, [found(f"Sent by {NAME}.")])
    redact(named, pattern=NAME, systems=[SYSTEM.system_id])
    texts = [next(found_for(named, spec.system_id)).text for spec in (SYSTEM, OTHER)]
    assert texts == ["Sent by [redacted].", f"Sent by {NAME}."]


def test_words_of_a_system_are_dropped_and_the_passages_it_was_asked_with_stay(named: Study):
    keep_found(named, SYSTEM.system_id, [found("A rule.")])
    redact(named, systems=[SYSTEM.system_id])
    assert [one.text for one in found_for(named, SYSTEM.system_id)] == ["A rule."]


@pytest.mark.parametrize(
    "line", [b"{", b"[1]", b'{"item_id": "00"}', b"\xff", b"[" * 100_000], ids=range(5)
)
def test_a_damaged_file_of_passages_is_told_and_nothing_is_changed(named: Study, line: bytes):
    path = keep_found(named, SYSTEM.system_id, [found(f"Sent by {NAME}.")])
    path.write_bytes(path.read_bytes() + line)
    before = bytes_with(named.root, NAME)
    with pytest.raises(StudyError, match=r"jsonl'.*: expected .*; delete the file"):
        redact(named, pattern=NAME)
    assert bytes_with(named.root, NAME) == before
