"""Logs of Every Eval Ever, DeepEval and FLARE, made by hand."""

from harness_files import Doc, Log


def _record(sample: str, result: str, score: float, **more: Doc) -> Doc:
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


_SPOKEN: dict[str, Doc] = {
    "interaction_type": "multi_turn",
    "output": None,
    "messages": [
        {"turn_idx": 0, "role": "user", "content": "CRR?"},
        {"turn_idx": 1, "role": "assistant", "content": "4.50%"},
    ],
    "answer_attribution": [],
}


def every_eval_ever() -> Log:
    """Return records of two samples, one under two results, with the aggregate beside."""
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
                _record("rate_1", "r1", 0.0),
                _record("rate_1", "r2", 0.5),
                _record("rate_2", "r1", 1.0, **_SPOKEN),
                _record("rate_3", "r1", 0.0, output={"raw": []}, error="timeout"),
            ]
        },
    )


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
