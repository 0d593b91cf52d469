"""Logs of the tools with one way of writing them: what is read into which column."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import harness_logs
from finassay.records import Item
from finassay.runs.importers.logs.alpaca_eval import AlpacaEvalReader
from finassay.runs.importers.logs.base import Block, ReadOptions
from finassay.runs.importers.logs.importing import find_logs
from finassay.runs.importers.logs.registry import READERS
from finassay.study import Study
from finassay.study.check import check
from logs_in_studies import answers, bring, new_study, verdicts

Open = Callable[[str], Study]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Return the study of the log of a builder, made once."""
    made: dict[str, Study] = {}

    def study_of(name: str) -> Study:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            made[name] = new_study(folder)
            bring(made[name], getattr(harness_logs, name)().write(folder / "log"))
        return made[name]

    return study_of


def _items(study: Study) -> dict[str, Item]:
    return {item.item_id: item for item in study.snapshot().items()}


def _comparisons(study: Study) -> list[dict[str, object]]:
    return list(study.snapshot().frame("comparisons").iter_rows(named=True))


# openai/evals


def test_events_are_joined_on_the_sample(opened: Open):
    study = opened("openai_evals")
    assert answers(study)["rates.dev.0", 0] == "6.50%"
    assert verdicts(study, "openai-evals/match")["rates.dev.0", 0] == 1.0
    assert answers(study, "tokens_in")["rates.dev.0", 0] == 9
    item = _items(study)["rates.dev.0"]
    assert (item.question, item.reference) == ("Repo rate?", "6.50%")


def test_the_first_sampling_is_the_answer_and_a_later_one_the_grading(opened: Open):
    study = opened("openai_evals")
    assert answers(study)["rates.dev.1", 0] == "4.50%"
    assert verdicts(study, "openai-evals/score")["rates.dev.1", 0] == 0.5
    assert verdicts(study, "openai-evals/score", "reason")["rates.dev.1", 0] == "(B) close"


def test_a_metric_that_is_no_share_is_not_applicable(opened: Open):
    study = opened("openai_evals")
    assert verdicts(study, "openai-evals/size", "status")["rates.dev.1", 0] == "not_applicable"


def test_a_sample_that_failed_is_an_error_with_its_reason(opened: Open):
    study = opened("openai_evals")
    assert answers(study, "finish")["rates.dev.2", 0] == "error"
    assert verdicts(study, "openai-evals/match", "reason")["rates.dev.2", 0] == "timed out"
    item = _items(study)["rates.dev.2"]
    assert (item.reference, item.alternatives) == ("18%", ("18",))


# simple-evals


def test_answers_stand_in_the_pages(opened: Open):
    study = opened("simple_evals")
    assert answers(study)["simpleqa/0", 0] == "Answer: <6.50%>"
    assert answers(study, "tool_extracted")["simpleqa/0", 0] == "<6.50%>"
    assert _items(study)["simpleqa/0"].reference == "<6.50%>"


def test_a_reply_that_quotes_a_page_is_not_taken_for_one(opened: Open):
    study = opened("simple_evals")
    assert _items(study)["simpleqa/1"].reference == "4.50%"
    assert verdicts(study, "simple-evals/score")["simpleqa/1", 0] == 0.0
    assert answers(study, "tool_extracted")["simpleqa/1", 0] is None


def test_a_page_of_paragraphs_that_never_end_is_read_in_seconds(tmp_path: Path):
    log = harness_logs.simple_evals()
    (document,) = log.documents.values()
    document["htmls"][1] = "<p>Score: 1.0</p>" + "<p>Score: " * 60_000
    study = new_study(tmp_path)
    path = log.write(tmp_path / "log")
    start = time.process_time()
    bring(study, path)
    # Where each beginning looks for its end through all the rest, this takes minutes.
    assert time.process_time() - start < 20
    assert verdicts(study, "simple-evals/score")["simpleqa/1", 0] == 1.0


def test_the_name_of_the_file_is_the_evaluation_and_the_model(opened: Open):
    study = opened("simple_evals")
    assert [spec.name for spec in study.snapshot().systems()] == ["bank-1"]
    assert {item.benchmark for item in _items(study).values()} == {"simpleqa"}


# FastChat


def test_turns_are_items_and_ratings_tenths(opened: Open):
    study = opened("fastchat")
    items = _items(study)
    assert items["rates/81"].question == "Repo rate?"
    assert items["81~turn2"].reference == "4.50%"
    rows = study.snapshot().frame("verdicts", scorer_id="imported/fastchat/single-v1/gpt-4")
    found = {(row["item_id"], row["label"]): row["value"] for row in rows.iter_rows(named=True)}
    assert found["rates/81", "9"] == 0.9
    assert found["rates/81", "2"] == 0.2


def test_a_rating_of_minus_one_is_unparsed(opened: Open):
    study = opened("fastchat")
    assert verdicts(study, "fastchat/single-v1/gpt-4", "status")["81~turn2", 0] == "unparsed"


def test_both_orders_of_a_pair_are_comparisons(opened: Open):
    study = opened("fastchat")
    names = {spec.system_id: spec.name for spec in study.snapshot().systems()}
    rows = {row["order"]: row for row in _comparisons(study)}
    first, second = rows["left_first"], rows["right_first"]
    assert (first["winner"], first["status"]) == ("left", "scored")
    assert (second["winner"], second["status"]) == (None, "unparsed")
    assert names[str(first["left_system_id"])] == "bank-1"
    texts = dict(zip(*study.snapshot().frame("predictions")[["text_digest", "text"]], strict=True))
    assert texts[str(first["left_text_digest"])] == "6.50%"
    assert texts[str(first["right_text_digest"])] == "7%"


def test_arena_hards_turns_of_objects_are_read(study: Study, tmp_path: Path):
    log = harness_logs.fastchat().copy()
    lines = log.lines["data/rates/model_answer/bank-1.jsonl"]
    lines[0]["choices"][0]["turns"] = [{"content": "6.50%", "token_len": 4}]  # type: ignore[index]
    bring(study, log.write(tmp_path / "log"))
    assert "6.50%" in answers(study).values()


def test_a_pair_whose_answers_are_not_there_is_said_and_left_out(study: Study, tmp_path: Path):
    log = harness_logs.fastchat().copy()
    pairs = log.lines["data/rates/model_judgment/gpt-4_pair.jsonl"]
    pairs.append({**pairs[0], "model_2": "bank-9"})  # type: ignore[dict-item]
    report = bring(study, log.write(tmp_path / "log"))
    assert len(_comparisons(study)) == 2
    assert any("2 not imported: one of the two answers" in note for note in report.notes)


def test_comparisons_of_another_pair_stay(study: Study, tmp_path: Path):
    log = harness_logs.alpaca_eval().copy()
    bring(study, log.write(tmp_path / "first"))
    rows = log.documents["annotations.json"]
    for row in rows:  # type: ignore[attr-defined]
        row["generator_2"], row["output_2"] = "bank-3", "other"
    bring(study, log.write(tmp_path / "second"))
    pairs = {(row["left_system_id"], row["right_system_id"]) for row in _comparisons(study)}
    assert len(pairs) == 2
    assert check(study).problems == ()


# AlpacaEval


def test_an_annotation_is_two_answers_and_a_comparison(opened: Open):
    study = opened("alpaca_eval")
    names = {spec.system_id: spec.name for spec in study.snapshot().systems()}
    assert set(names.values()) == {"bank-1", "bank-2"}
    questions = {item.item_id: item.question for item in _items(study).values()}
    found = {questions[str(row["item_id"])]: row for row in _comparisons(study)}
    assert found["Repo rate?"]["winner"] == "right"
    assert found["CRR?"]["winner"] == "tie"
    assert (found["SLR?"]["winner"], found["SLR?"]["status"]) == (None, "unparsed")
    assert str(found["Repo rate?"]["reason"]).startswith("preference 1.98")


@pytest.mark.parametrize(
    ("preference", "winner"),
    [(1, "left"), (2, "right"), (1.5, "tie"), (0, "tie"), (1.49, "left"), (3, None), ("1", None)],
)
def test_a_preference_says_who_wins(preference: object, winner: str | None, tmp_path: Path):
    log = harness_logs.alpaca_eval().copy()
    rows = log.documents["annotations.json"]
    del rows[1:]  # type: ignore[attr-defined]
    rows[0]["preference"] = preference  # type: ignore[index]
    (source,) = find_logs([log.write(tmp_path / "log")]).sources
    blocks = AlpacaEvalReader().read(source, ReadOptions())
    duels = [duel for block in blocks if isinstance(block, Block) for duel in block.duels]
    assert [duel.winner for duel in duels] == [winner]


# Every Eval Ever


def test_records_of_one_answer_are_folded_under_their_metrics(opened: Open):
    study = opened("every_eval_ever")
    assert answers(study)["rate_1", 0] == "It is 6.50%"
    assert verdicts(study, "every-eval-ever/exact_match")["rate_1", 0] == 0.0
    assert verdicts(study, "every-eval-ever/f1")["rate_1", 0] == 0.5
    assert answers(study, "reasoning")["rate_1", 0] == "I recall it."
    assert answers(study, "tool_extracted")["rate_1", 0] == "6.50%"
    assert answers(study, "latency_s")["rate_1", 0] == 0.25
    item = _items(study)["rate_1"]
    assert (item.alternatives, item.strata) == (("6.5%",), (("subject", "repo"),))


def test_of_a_conversation_the_last_reply_is_the_answer(opened: Open):
    assert answers(opened("every_eval_ever"))["rate_2", 0] == "4.50%"


def test_a_record_with_an_error_is_one(opened: Open):
    assert answers(opened("every_eval_ever"), "finish")["rate_3", 0] == "error"


# DeepEval, FLARE


def test_a_metric_that_failed_is_unscored(opened: Open):
    study = opened("deepeval")
    found = verdicts(study, "deepeval/Answer Relevancy/gpt-4", "status")
    assert found == {("rate_1", 0): "scored", ("rate_2", 0): "failed"}


def test_a_flare_row_keeps_reply_label_and_metrics(opened: Open):
    study = opened("flare")
    assert answers(study)["flare_fpb/0", 0] == "positive."
    assert answers(study, "tool_extracted") == {
        ("flare_fpb/0", 0): "positive",
        ("flare_fpb/1", 0): None,
    }
    assert verdicts(study, "flare/missing") == {("flare_fpb/0", 0): 0.0, ("flare_fpb/1", 0): 1.0}


def test_a_flare_log_names_no_model(study: Study, tmp_path: Path):
    root = harness_logs.flare().write(tmp_path / "log")
    bring(study, root, name="Fin-1")
    assert [spec.name for spec in study.snapshot().systems()] == ["Fin-1"]


# all of them


def test_a_mixed_folder_is_told_apart_by_content(tmp_path: Path):
    for number, builder in enumerate(harness_logs.ALL):
        builder().write(tmp_path / f"{number:02d}")
    # Names say nothing: every file gets one that fits no tool.
    for number, path in enumerate(sorted(tmp_path.rglob("*.json"))):
        if "predictions" not in path.parts and "results" not in path.parts:
            path.rename(path.with_name(f"file-{number}.json"))
    found = find_logs([tmp_path])
    assert {source.tool for source in found.sources} == {b().tool for b in harness_logs.ALL}
    assert found.others == ()


@pytest.mark.parametrize("name", ["helm", "fastchat"])
def test_importing_again_changes_nothing(name: str, opened: Open, tmp_path: Path):
    study = opened(name)
    before = study.snapshot().digests()
    report = bring(study, getattr(harness_logs, name)().write(tmp_path / "log"))
    # The folder above a run is its suite, which here is the same.
    assert study.snapshot().digests() == before
    assert not report.is_changed
    assert check(study).problems == ()


def test_line_separators_of_unicode_do_not_split_a_record(study: Study, tmp_path: Path):
    log = harness_logs.openai_evals().copy()
    (lines,) = log.lines.values()
    lines[1]["data"]["sampled"] = ["x\u2028y\u0085z"]  # type: ignore[index]
    report = bring(study, log.write(tmp_path / "log"))
    assert report.bad == 0
    assert answers(study)["rates.dev.0", 0] == "x\u2028y\u0085z"


def test_leading_noughts_of_an_id_stay(study: Study, tmp_path: Path):
    log = harness_logs.every_eval_ever().copy()
    log.lines["eee/rates_samples.jsonl"][2]["sample_id"] = "007"  # type: ignore[index]
    bring(study, log.write(tmp_path / "log"))
    assert "rates/007" in _items(study)


def test_a_transport_error_in_place_of_an_answer_can_be_named(study: Study, tmp_path: Path):
    log = harness_logs.flare().copy()
    rows = log.documents["bank-1/flare_fpb_write_out_info.json"]
    rows[1]["logit_0"] = "FAIL: Error code: 429"  # type: ignore[index]
    root = log.write(tmp_path / "log")
    bring(study, root, error_text=re.compile("^FAIL: "))
    assert answers(study, "finish")["flare_fpb/1", 0] == "error"


def test_texts_that_pile_up_at_one_length_are_said(study: Study, tmp_path: Path):
    log = harness_logs.flare().copy()
    rows = log.documents["bank-1/flare_fpb_write_out_info.json"]
    first = rows[0]  # type: ignore[index]
    rows.extend(  # type: ignore[attr-defined]
        {**first, "doc_id": 10 + at, "logit_0": f"{at}" * 200} for at in range(8)
    )
    report = bring(study, log.write(tmp_path / "log"))
    assert report.systems[0].cap is not None
    assert report.systems[0].cap.length == 200


def test_constants_beyond_json_are_read(study: Study, tmp_path: Path):
    log = harness_logs.deepeval().copy()
    cases = log.documents["test_run_1764400000.json"]["testCases"]  # type: ignore[index]
    cases[0]["metricsData"][0]["score"] = -float("inf")
    cases[1]["metricsData"][0] |= {"score": float("nan"), "error": None}
    root = log.write(tmp_path / "log")
    assert "-Infinity" in (root / "test_run_1764400000.json").read_text(encoding="utf-8")
    report = bring(study, root)
    assert report.bad == 0
    statuses = verdicts(study, "deepeval/Answer Relevancy/gpt-4", "status")
    assert statuses == {("rate_1", 0): "not_applicable", ("rate_2", 0): "unparsed"}


def test_a_document_that_breaks_off_keeps_its_whole_results(study: Study, tmp_path: Path):
    root = harness_logs.alpaca_eval().write(tmp_path / "log")
    path = root / "annotations.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    whole = json.dumps(rows[:2])[:-1]
    path.write_text(whole + ', {"instruction": "SL', encoding="utf-8")
    report = bring(study, root)
    assert len(answers(study)) == 2
    assert report.sources[0].bad == 1
    assert "Unterminated string" in str(report.sources[0].bad_rows[0])


def test_the_documentation_names_every_tool():
    page = Path(__file__).parents[4] / "docs" / "how-to" / "bring-your-logs.md"
    text = page.read_text(encoding="utf-8")
    assert all(f"imported/{reader.name}/" in text for reader in READERS)
