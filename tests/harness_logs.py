"""Logs of other harnesses, made by hand after what the tools write: small, and right in shape."""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

Doc = object


@dataclass(frozen=True)
class Log:
    """Files of one log: JSON documents, and lists that are written as JSON lines."""

    tool: str
    documents: Mapping[str, Doc] = field(default_factory=dict)
    lines: Mapping[str, list[Doc]] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the files below a folder, and return it."""
        for name, document in self.documents.items():
            _write(folder / name, json.dumps(document, ensure_ascii=False))
        for name, lines in self.lines.items():
            texts = [json.dumps(line, ensure_ascii=False) for line in lines]
            _write(folder / name, "".join(f"{text}\n" for text in texts))
        return folder

    def copy(self) -> "Log":
        """Return a copy that may be changed without changing this one."""
        documents, lines = copy.deepcopy(dict(self.documents)), copy.deepcopy(dict(self.lines))
        return Log(self.tool, documents, lines)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# HELM -------------------------------------------------------------------------------------------

HELM_RUN = "rates:subject=repo,model=acme_bank-1"
HELM_FOLDER = f"runs/v1/{HELM_RUN}"
_TYPOS = {"name": "typos", "robustness": True, "fairness": False, "prob": 0.1}
_ADAPTER = {
    "method": "generation",
    "instructions": "Answer.",
    "input_prefix": "Q: ",
    "output_prefix": "A:",
    "max_train_instances": 2,
    "num_outputs": 1,
    "model": "acme/bank-1",
    "model_deployment": "acme/bank-1",
    "temperature": 0.0,
    "max_tokens": 50,
    "stop_sequences": ["\n"],
}


def helm_instance(number: int, *, question: str, correct: str, perturbed: bool = False) -> Doc:
    """Return an instance with one right and one wrong reference."""
    made = {
        "input": {"text": question},
        "references": [
            {"output": {"text": correct}, "tags": ["correct"]},
            {"output": {"text": "9%"}, "tags": []},
        ],
        "split": "test",
        "id": f"id{number}",
    }
    return made | ({"perturbation": _TYPOS} if perturbed else {})


def _helm_state(instance: Doc, text: str, finish: str, **more: Doc) -> dict[str, Doc]:
    return {
        "instance": instance,
        "request_mode": "original",
        "train_trial_index": 0,
        "request": {
            "model": "acme/bank-1",
            "model_deployment": "acme/bank-1",
            "temperature": 0.0,
            "max_tokens": 50,
            "prompt": "Q: …\nA:",
        },
        "result": {
            "success": True,
            "embedding": [],
            "completions": [
                {
                    "text": text,
                    "logprob": 0.0,
                    "tokens": [{"text": "a", "logprob": 0.0}] * 3,
                    "finish_reason": {"reason": finish},
                }
            ],
            "cached": False,
            "request_time": 0.5,
        },
        "num_train_instances": 2,
        **more,
    }


def _helm_stats(instance_id: str, means: Mapping[str, float], **more: Doc) -> dict[str, Doc]:
    return {
        "instance_id": instance_id,
        "train_trial_index": 0,
        "stats": [
            {
                "name": {"name": name, "split": "test"},
                "count": 1,
                "sum": mean,
                "mean": mean,
                "min": mean,
                "max": mean,
                "variance": 0.0,
                "stddev": 0.0,
            }
            for name, mean in means.items()
        ],
        **more,
    }


def helm() -> Log:
    """Return a run of three instances, one of them perturbed too, with all five files."""
    first = helm_instance(1, question="What is the repo rate?", correct="6.50%")
    second = helm_instance(2, question="What is the CRR?", correct="4.50%")
    third = helm_instance(3, question="What is the SLR?", correct="18%")
    twin = helm_instance(1, question="What is teh repo rate?", correct="6.50%", perturbed=True)
    failed = _helm_state(third, "", "unknown")
    failed["result"] = {"success": False, "error": "quota", "completions": [], "cached": False}
    perturbed = {"perturbation": _TYPOS}
    adapter = {"scenario_spec": {"class_name": "Rates", "args": {}}, "adapter_spec": _ADAPTER}
    total = {"count": 1, "sum": 1.0, "mean": 1 / 3, "min": 0.0, "max": 1.0}
    return Log(
        "helm",
        documents={
            f"{HELM_FOLDER}/run_spec.json": {
                "name": HELM_RUN,
                **adapter,
                "metric_specs": [{"class_name": "Basic", "args": {}}],
                "groups": ["rates"],
            },
            f"{HELM_FOLDER}/scenario.json": {
                "name": "rates",
                "description": "",
                "tags": [],
                "definition_path": "https://example.org",
            },
            f"{HELM_FOLDER}/scenario_state.json": {
                "adapter_spec": _ADAPTER,
                "request_states": [
                    _helm_state(first, " 6.50%", "stop"),
                    _helm_state(second, " It is 4.5", "length"),
                    failed,
                    _helm_state(twin, " 6.5", "endoftext"),
                ],
                "annotator_specs": [],
            },
            f"{HELM_FOLDER}/per_instance_stats.json": [
                _helm_stats("id1", {"exact_match": 1.0, "quasi_exact_match": 1.0}),
                # One entry for each metric object, as the tool writes them.
                _helm_stats("id1", {"num_prompt_tokens": 12.0, "num_output_tokens": 4.0}),
                _helm_stats("id1", {"exact_match": 0.0, "quasi_exact_match": 0.0}, **perturbed),
                _helm_stats("id2", {"exact_match": 0.0, "quasi_exact_match": 0.0}),
                _helm_stats("id2", {"ratio": 3.0, "logprob": -4.0}),
                _helm_stats("id3", {"exact_match": 0.0, "quasi_exact_match": 0.0}),
            ],
            f"{HELM_FOLDER}/stats.json": [
                {"name": {"name": "exact_match", "split": "test"}, **total},
                {
                    "name": {
                        "name": "exact_match",
                        "split": "test",
                        "perturbation": {**_TYPOS, "computed_on": "perturbed"},
                    },
                    **total,
                    "mean": 0.0,
                },
                {"name": {"name": "num_prompt_tokens", "split": "test"}, **total},
            ],
        },
    )


def helm_compact() -> Log:
    """Return the same run as `helm-summarize` leaves it, without the scenario state."""
    stats = {"exact_match": 1.0, "finish_reason_stop": 1.0, "num_output_tokens": 4.0}
    return Log(
        "helm",
        documents={
            f"{HELM_FOLDER}/run_spec.json": helm().documents[f"{HELM_FOLDER}/run_spec.json"],
            f"{HELM_FOLDER}/instances.json": [
                helm_instance(1, question="What is the repo rate?", correct="6.50%"),
                helm_instance(2, question="What is the CRR?", correct="4.50%"),
            ],
            f"{HELM_FOLDER}/display_predictions.json": [
                {
                    "instance_id": "id1",
                    "train_trial_index": 0,
                    "predicted_text": " B",
                    "mapped_output": "6.50%",
                    "thinking_text": "B says 6.50%",
                    "stats": stats,
                },
                {
                    "instance_id": "id2",
                    "train_trial_index": 0,
                    "predicted_text": " 4",
                    "stats": {"exact_match": 0.0, "finish_reason_length": 1.0},
                },
            ],
            f"{HELM_FOLDER}/display_requests.json": [
                {"instance_id": "id1", "train_trial_index": 0, "request": {"prompt": "Q"}}
            ],
        },
    )


def helm_separate() -> Log:
    """Return a multiple-choice run with one request for each option, and a calibration."""
    instance = helm_instance(1, question="What is the repo rate?", correct="6.50%")
    states = [_helm_state(instance, "", "unknown", reference_index=at) for at in (0, 1)]
    calibration = _helm_state(instance, "", "unknown", reference_index=0)
    calibration["request_mode"] = "calibration"
    return Log(
        "helm",
        documents={
            f"{HELM_FOLDER}/scenario_state.json": {
                "adapter_spec": {**_ADAPTER, "method": "multiple_choice_separate_calibrated"},
                "request_states": [*states, calibration],
            },
            f"{HELM_FOLDER}/per_instance_stats.json": [
                _helm_stats("id1", {"exact_match": 0.0, "predicted_index": 1.0})
            ],
        },
    )


# OpenCompass ------------------------------------------------------------------------------------

COMPASS = "out/20261129_101500"


def opencompass() -> Log:
    """Return a generative data set with results as a list, and a partitioned one without any."""

    def row(question: str, reply: Doc, **more: Doc) -> Doc:
        return {
            "origin_prompt": [{"role": "HUMAN", "prompt": question}],
            "prediction": reply,
            **more,
        }

    return Log(
        "opencompass",
        documents={
            f"{COMPASS}/predictions/bank-1/rates.json": {
                "0": row("Repo rate?", "It is 6.50", gold="6.50"),
                # The tool leaves out what Python takes for false, and so an answer of 0.
                "1": row("Change since May?", "none: 0"),
            },
            f"{COMPASS}/results/bank-1/rates.json": {
                "accuracy": 50.0,
                "details": [
                    {
                        "example_abbr": "rates_0",
                        "pred": ["6.50"],
                        "answer": ["6.50"],
                        "correct": [True],
                    },
                    {
                        "example_abbr": "rates_1",
                        "pred": ["none"],
                        "answer": ["0"],
                        "correct": [False],
                    },
                ],
            },
            f"{COMPASS}/results/bank-1/rates_replica0.json": {
                "0": {"origin_prompt": "Judge", "prediction": "CORRECT", "gold": "6.50"},
            },
            f"{COMPASS}/predictions/bank-1/long_0.json": {
                "0": row("First?", "one", gold="one", res_length=1, all_input_length=9),
                "1": row("Second?", ["two", "2"], gold="two"),
            },
            f"{COMPASS}/predictions/bank-1/long_1.json": {"0": row("Third?", "three")},
            f"{COMPASS}/predictions/bank-1/pick.json": {
                "0": {
                    "in-context examples": "",
                    "origin_prompt": "",
                    "label: A": {"testing input": "Pick", "prompt": "Pick A", "PPL": 2.0},
                    "label: B": {"testing input": "Pick", "prompt": "Pick B", "PPL": 1.0},
                    "prediction": "B",
                    "gold": "A",
                }
            },
            f"{COMPASS}/results/bank-1/pick.json": {
                "accuracy": 0.0,
                "details": {
                    "type": "PPL",
                    "0": {"prompt": "", "predictions": "B", "references": "A", "correct": False},
                },
            },
        },
        lines={
            f"{COMPASS}/predictions/bank-1/tmp_begun.jsonl": [
                {"idx": 3, "origin_prompt": "Fourth?", "prediction": "four", "gold": "four"}
            ]
        },
    )


# openai/evals -----------------------------------------------------------------------------------


def openai_evals() -> Log:
    """Return an event log of three samples: one right, one graded by a model, one failed."""

    def event(number: int, sample: str, kind: str, data: Doc) -> Doc:
        return {
            "run_id": "2611291200ABC",
            "event_id": number,
            "sample_id": sample,
            "type": kind,
            "data": data,
            "created_by": "",
            "created_at": "2026-11-29 12:00:00",
        }

    asked = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Repo rate?"}]
    usage = {"prompt_tokens": 9, "completion_tokens": 3}
    return Log(
        "openai-evals",
        lines={
            "2611291200ABC_bank-1_rates.jsonl": [
                {
                    "spec": {
                        "completion_fns": ["bank-1"],
                        "eval_name": "rates.dev.v0",
                        "base_eval": "rates",
                        "split": "dev",
                        "run_config": {"max_samples": None, "completion_args": {"temperature": 0}},
                        "run_id": "2611291200ABC",
                        "created_at": "2026-11-29 12:00:00",
                    }
                },
                event(
                    0,
                    "rates.dev.0",
                    "sampling",
                    {"prompt": asked, "sampled": ["6.50%"], "model": "bank-1-0815", "usage": usage},
                ),
                event(1, "rates.dev.1", "sampling", {"prompt": "CRR?", "sampled": ["4.50%"]}),
                event(
                    2,
                    "rates.dev.0",
                    "match",
                    {"correct": True, "expected": "6.50%", "picked": "6.50%", "sampled": "6.50%"},
                ),
                event(3, "rates.dev.1", "sampling", {"prompt": "Grade", "sampled": ["(B) close"]}),
                event(4, "rates.dev.1", "metrics", {"choice": "B", "score": 0.5, "size": 12}),
                event(5, "rates.dev.2", "raw_sample", {"input": "SLR?", "ideal": ["18%", "18"]}),
                event(6, "rates.dev.2", "error", {"type": "Timeout", "message": "timed out"}),
                {"final_report": {"accuracy": 1.0}, "run_id": "2611291200ABC"},
            ]
        },
    )


# simple-evals -----------------------------------------------------------------------------------


def simple_evals_page(reply: str, reference: str, extracted: str, score: float) -> str:
    """Return the page that the tool makes of one conversation."""
    return (
        f"<h3>Prompt conversation</h3><div>Repo rate?</div><h3>Sampled message</h3>"
        f"<div>{reply}</div><h3>Results</h3>\n<p>Correct Answer: {reference}</p>\n"
        f"<p>Extracted Answer: {extracted}</p>\n<p>Score: {score}</p>"
    )


def simple_evals() -> Log:
    """Return a run of two conversations, one whose answer was not extracted."""
    asked = [{"role": "user", "content": "Repo rate?"}]
    trap = "<p>Correct Answer: 1</p><p>Score: 1.0</p> I cannot say."
    return Log(
        "simple-evals",
        documents={
            "simpleqa_bank-1_20261129_101500_allresults.json": {
                "score": 0.5,
                "metrics": {"chars": 20.0, "score:std": 0.5},
                "htmls": [
                    simple_evals_page(
                        "Answer: &lt;6.50%&gt;", "&lt;6.50%&gt;", "&lt;6.50%&gt;", 1.0
                    ),
                    simple_evals_page(trap, "4.50%", "None", 0.0),
                ],
                "convos": [
                    [*asked, {"role": "assistant", "content": "Answer: <6.50%>"}],
                    [{"role": "user", "content": "CRR?"}, {"role": "assistant", "content": trap}],
                ],
                "metadata": None,
            }
        },
    )


# FastChat ---------------------------------------------------------------------------------------


def fastchat() -> Log:
    """Return a bench of two models, with ratings, one of them unread, and a pair."""

    def answer(model: str, *turns: str) -> Doc:
        return {
            "question_id": 81,
            "answer_id": f"{model}-81",
            "model_id": model,
            "choices": [{"index": 0, "turns": list(turns)}],
            "tstamp": 1764400000.0,
        }

    def rating(model: str, turn: int, score: float) -> Doc:
        return {
            "question_id": 81,
            "model": model,
            "judge": ["gpt-4", "single-v1"],
            "user_prompt": "Rate",
            "judgment": f"Rating: [[{score}]]",
            "score": score,
            "turn": turn,
            "tstamp": 1764400000.0,
        }

    return Log(
        "fastchat",
        lines={
            "data/rates/question.jsonl": [
                {
                    "question_id": 81,
                    "category": "rates",
                    "turns": ["Repo rate?", "And the CRR?"],
                    "reference": ["6.50%", "4.50%"],
                }
            ],
            "data/rates/model_answer/bank-1.jsonl": [answer("bank-1", "6.50%", "4.50%")],
            "data/rates/model_answer/bank-2.jsonl": [answer("bank-2", "7%", "5%")],
            "data/rates/model_judgment/gpt-4_single.jsonl": [
                rating("bank-1", 1, 9),
                rating("bank-1", 2, -1),
                rating("bank-2", 1, 2),
                rating("bank-9", 1, 2),
            ],
            "data/rates/model_judgment/gpt-4_pair.jsonl": [
                {
                    "question_id": 81,
                    "model_1": "bank-1",
                    "model_2": "bank-2",
                    "g1_winner": "model_1",
                    "g2_winner": "error",
                    "judge": ["gpt-4", "pair-v2"],
                    "g1_judgment": "[[A]]",
                    "g2_judgment": "no verdict",
                    "turn": 1,
                    "tstamp": 1764400000.0,
                }
            ],
        },
    )


# AlpacaEval -------------------------------------------------------------------------------------


def alpaca_eval() -> Log:
    """Return three annotated pairs: the second preferred, a draw, and one unread."""

    def row(instruction: str, first: str, second: str, preference: float | None) -> Doc:
        return {
            "instruction": instruction,
            "output_1": first,
            "generator_1": "bank-1",
            "dataset": "rates",
            "output_2": second,
            "generator_2": "bank-2",
            "annotator": "weighted_gpt4",
            "preference": preference,
            "time_per_example": 1.0,
            "raw_completion": {"text": "m"},
        }

    return Log(
        "alpaca-eval",
        documents={
            "annotations.json": [
                row("Repo rate?", "7%", "6.50%", 1.98),
                row("CRR?", "4.50%", "4.50%", 1.5),
                row("SLR?", "18%", "", None),
            ]
        },
    )


# Every Eval Ever --------------------------------------------------------------------------------


def every_eval_ever() -> Log:
    """Return records of two samples, one under two results, with the aggregate beside."""

    def record(sample: str, result: str, score: float, **more: Doc) -> Doc:
        made = {
            "schema_version": "0.3.0",
            "evaluation_id": "rates/bank-1/1764400000",
            "model_id": "acme/bank-1",
            "evaluation_name": "rates",
            "evaluation_result_id": result,
            "sample_id": sample,
            "interaction_type": "single_turn",
            "input": {"raw": "Repo rate?", "reference": ["6.50%", "6.5%"], "choices": None},
            "output": {"raw": ["It is 6.50%"], "reasoning_trace": ["I recall it."]},
            "messages": None,
            "answer_attribution": [
                {
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": "6.50%",
                    "extraction_method": "regex",
                    "is_terminal": True,
                }
            ],
            "evaluation": {"score": score, "is_correct": score == 1.0},
            "token_usage": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
            "performance": {"latency_ms": 250},
            "error": None,
            "metadata": {"subject": "repo"},
        }
        return made | more

    spoken = {
        "interaction_type": "multi_turn",
        "output": None,
        "messages": [
            {"turn_idx": 0, "role": "user", "content": "CRR?"},
            {"turn_idx": 1, "role": "assistant", "content": "4.50%"},
        ],
        "answer_attribution": [],
    }
    return Log(
        "every-eval-ever",
        documents={
            "eee/rates.json": {
                "schema_version": "0.3.0",
                "evaluation_id": "rates/bank-1/1764400000",
                "model_info": {"id": "acme/bank-1"},
                "evaluation_results": [
                    {
                        "evaluation_result_id": "r1",
                        "evaluation_name": "rates",
                        "metric_config": {"metric_name": "exact_match"},
                    },
                    {
                        "evaluation_result_id": "r2",
                        "evaluation_name": "rates",
                        "metric_config": {"metric_name": "f1"},
                    },
                ],
            }
        },
        lines={
            "eee/rates_samples.jsonl": [
                record("rate_1", "r1", 0.0),
                record("rate_1", "r2", 0.5),
                record("rate_2", "r1", 1.0, **spoken),
                record("rate_3", "r1", 0.0, output={"raw": []}, error="timeout"),
            ]
        },
    )


# DeepEval, FLARE --------------------------------------------------------------------------------


def deepeval() -> Log:
    """Return a test run of two cases, one whose metric failed."""
    metric = {"name": "Answer Relevancy", "threshold": 0.5, "evaluationModel": "gpt-4"}
    return Log(
        "deepeval",
        documents={
            "test_run_1764400000.json": {
                "testCases": [
                    {
                        "name": "rate_1",
                        "input": "Repo rate?",
                        "actualOutput": "6.50%",
                        "expectedOutput": "6.50%",
                        "success": True,
                        "metricsData": [
                            {**metric, "score": 0.75, "success": True, "reason": "to the point"}
                        ],
                        "order": 0,
                    },
                    {
                        "name": "rate_2",
                        "input": "CRR?",
                        "actualOutput": "4.50%",
                        "metricsData": [
                            {**metric, "score": None, "success": False, "error": "judge timed out"}
                        ],
                        "order": 1,
                    },
                ],
                "conversationalTestCases": [],
                "hyperparameters": {"model": "bank-1", "temperature": 0.2},
                "testFile": "test_rates.py",
            }
        },
    )


def flare() -> Log:
    """Return a task of two rows, one in which no label was found."""

    def row(number: int, reply: str, truth: str, label: str) -> Doc:
        return {
            "doc_id": number,
            "prompt_0": f"Sentiment of text {number}?",
            "logit_0": reply,
            "truth": truth,
            "acc": "1.0" if label == truth else "0.0",
            "missing": str(int(label == "missing")),
            "f1": str((label, truth)),
            "macro_f1": str((label, truth)),
            "mcc": str((0, 1)),
        }

    return Log(
        "flare",
        documents={
            "bank-1/flare_fpb_write_out_info.json": [
                row(0, "positive.", "positive", "positive"),
                row(1, "I think so", "negative", "missing"),
            ]
        },
    )


# promptfoo --------------------------------------------------------------------------------------

PROMPTFOO = Path(__file__).parent / "golden" / "logs" / "promptfoo_0_121_20.json"
"""What promptfoo 0.121.20 wrote for two prompts, its `echo` provider and a scripted one."""


def promptfoo() -> Log:
    """Return the recorded evaluation."""
    return Log("promptfoo", documents={"out.json": json.loads(PROMPTFOO.read_text("utf-8"))})


def promptfoo_lines() -> Log:
    """Return the same evaluation as promptfoo writes it to .jsonl: results without the rest."""
    whole = json.loads(PROMPTFOO.read_text("utf-8"))
    return Log("promptfoo", lines={"out.jsonl": whole["results"]["results"]})


def promptfoo_table() -> Log:
    """Return an evaluation of version 2, with a table and no `failureReason`."""

    def output(text: str, *, passed: bool, value: str = "6.50%", **more: Doc) -> Doc:
        return {
            "pass": passed,
            "score": float(passed),
            "text": text,
            "prompt": "Repo rate?",
            "latencyMs": 20,
            "tokenUsage": {"total": 12, "prompt": 8, "completion": 4},
            "gradingResult": {
                "pass": passed,
                "score": float(passed),
                "reason": "",
                "componentResults": [
                    {
                        "pass": passed,
                        "score": float(passed),
                        "reason": "",
                        "assertion": {"type": "equals", "value": value},
                    }
                ],
            },
            **more,
        }

    failed = output("", passed=False, error="HTTP 500", gradingResult=None)
    return Log(
        "promptfoo",
        documents={
            "old.json": {
                "results": {
                    "version": 2,
                    "timestamp": "2024-05-01T00:00:00.000Z",
                    "results": [],
                    "stats": {"successes": 1, "failures": 2},
                    "table": {
                        "head": {
                            "prompts": [
                                {
                                    "raw": "{{question}}",
                                    "label": "plain",
                                    "id": "p1",
                                    "provider": "openai:gpt-4",
                                },
                                {
                                    "raw": "{{question}}",
                                    "label": "plain",
                                    "id": "p1",
                                    "provider": "openai:gpt-3.5",
                                },
                            ],
                            "vars": ["question"],
                        },
                        "body": [
                            {
                                "outputs": [
                                    output("6.50%", passed=True),
                                    output("7%", passed=False),
                                ],
                                "vars": ["Repo rate?"],
                                "test": {"assert": [{"type": "equals", "value": "6.50%"}]},
                            },
                            {
                                "outputs": [failed, output("4%", passed=False, value="4.50%")],
                                "vars": ["CRR?"],
                                "test": {"assert": [{"type": "equals", "value": "4.50%"}]},
                            },
                        ],
                    },
                },
                "config": {"description": "old rates"},
            }
        },
    )


ALL = (
    *(helm, helm_compact, helm_separate, opencompass, openai_evals, simple_evals, fastchat),
    *(alpaca_eval, every_eval_ever, deepeval, flare, promptfoo, promptfoo_lines, promptfoo_table),
)
"""One builder for each log."""
