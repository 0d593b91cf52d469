"""Predictions and results of OpenCompass, made by hand: small, and right in shape."""

from harness_files import Doc, Log

COMPASS = "out/20261129_101500"


def _row(question: str, reply: Doc, **more: Doc) -> Doc:
    return {
        "origin_prompt": [{"role": "HUMAN", "prompt": question}],
        "prediction": reply,
        **more,
    }


_DOCUMENTS: dict[str, Doc] = {
    f"{COMPASS}/predictions/bank-1/rates.json": {
        "0": _row("Repo rate?", "It is 6.50", gold="6.50"),
        # The tool leaves out what Python takes for false, and so an answer of 0.
        "1": _row("Change since May?", "none: 0"),
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
        "0": _row("First?", "one", gold="one", res_length=1, all_input_length=9),
        "1": _row("Second?", ["two", "2"], gold="two"),
    },
    f"{COMPASS}/predictions/bank-1/long_1.json": {"0": _row("Third?", "three")},
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
}
_LINES: dict[str, list[Doc]] = {
    f"{COMPASS}/predictions/bank-1/tmp_begun.jsonl": [
        {"idx": 3, "origin_prompt": "Fourth?", "prediction": "four", "gold": "four"}
    ]
}


def opencompass() -> Log:
    """Return a generative data set with results as a list, and a partitioned one without any."""
    return Log("opencompass", _DOCUMENTS, _LINES)
