"""Runs of HELM, made by hand: small, and right in shape."""

from collections.abc import Mapping

from harness_files import Doc, Log

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
