"""Write docs/reference/examples/*.json: one example of each result, made by the commands.

    python scripts/json_examples.py

The examples come from a study of four items and two systems that is built in a temporary folder,
so they are real output.  tests/test_json_examples.py checks them against the published schemas.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl

EXAMPLES = Path(__file__).parents[1] / "docs" / "reference" / "examples"

ITEMS = [
    {
        "id": "REG_001",
        "task_type": "regulatory_interpretation",
        "difficulty": "easy",
        "document": "rules-a",
        "context": "A notice must be filed within thirty days.",
        "question": "Within how many days must the notice be filed?",
        "answer": "thirty days",
    },
    {
        "id": "NUM_001",
        "task_type": "numerical_reasoning",
        "difficulty": "medium",
        "document": "rules-b",
        "context": "The fee is 2% of the amount, at most EUR 500.",
        "question": "What is the fee on EUR 10,000?",
        "answer": "EUR 200",
    },
    {
        "id": "CON_001",
        "task_type": "contradiction_detection",
        "difficulty": "hard",
        "document_a": "rules-a",
        "document_b": "rules-b",
        "context_a": "The limit is 5%.",
        "context_b": "The limit is five per cent.",
        "question": "Do the passages contradict each other?",
        "answer": "No",
    },
]
REPLIES = {
    "alpha": {"REG_001": "30 days", "NUM_001": "EUR 200", "CON_001": "No, they agree."},
    "beta": {"REG_001": "thirty days", "NUM_001": "The fee is EUR 500.", "CON_001": "Note: yes."},
}
GRID = """\
name = "small"
task = "qa"

[[dimension]]
name = "matcher"
title = "how texts are compared"
choices = ["token_set", "includes"]

[[dimension]]
name = "numbers"
title = "which numbers must agree"
choices = ["written", "ignore"]
"""
CLAIMS = """
[[claim]]
text = "Alpha is better than beta"
source = "the press release"
kind = "above"
a = "alpha"
b = "beta"
"""
PAIRS = """\
pair_id,judge,order,winner,label,source,reply
P1,judge-1,left_first,left,left,fees,The figure agrees. [[A]]
P1,judge-1,right_first,left,left,fees,My verdict: [[B]]
P2,judge-1,left_first,left,right,dates,[[A]]
P2,judge-1,right_first,right,right,dates,Both are late.
"""
OUTCOMES = [
    {
        "id": "O1",
        "contract_id": "legal-outcome",
        "question": "How is the claim disposed of?",
        "context": "The claim was filed four years after a limit of three.",
        "choices": ["granted in full", "granted in part", "dismissed"],
        "answer": "dismissed",
    }
]
COMMANDS = {
    "mark": ["mark", "strict/numbers-first", "--reference", "EUR 200", "--reply", "200 euros"],
    "doctor": ["doctor", "study"],
    "scorers": ["scorers"],
    "fetch": ["fetch", "indiafinbench", "--study", "fetched", "--from", "source"],
    "import": ["import", "study", "alpha.csv", "beta.csv", "--items", "items.json"],
    "score": ["score", "study", "--scorer", "includes", "--scorer", "strict/numbers-first"],
    "export": ["export", "study", "--format", "csv", "--out", "exported", "--scorer", "includes"],
    "explain": ["explain", "study", "--item", "NUM_001", "--system", "beta"],
    "audit": ["audit", "study", "--out", "report", "--scorer", "includes"],
    "calibrate": [
        *(
            "calibrate",
            "labelled.csv",
            "--reference",
            "gold",
            "--reply",
            "reply",
            "--label",
            "label",
        ),
        *("--positive", "right", "--group", "question", "--folds", "2"),
        *("--grid", "calibration.toml", "--resamples", "200"),
    ],
    "compare": ["compare", "study", "alpha", "beta", "--scorer", "strict/numbers-first"],
    "items": ["items", "study", "--scorer", "strict/numbers-first"],
    "ranks": ["ranks", "study", "--scorer", "strict/numbers-first", "--draws", "200"],
    "multiverse": ["multiverse", "study", "--grid", "grid.toml", "--draws", "200"],
    "operations": [
        *("operations", "study", "--knowledge", "regulatory_interpretation", "--draws", "200"),
        *("--scorer", "strict/numbers-first", "--cluster", "item_id"),
    ],
    "claims": ["claims", "study", "claims.toml", "--grid", "grid.toml"],
    "configuration": ["configuration", "study", "--cap", "alpha=none", "--cut", "8,16"],
    "attribution": ["attribution", "study", "--scorer", "strict/numbers-first"],
    "judges": ["judges", "judged", "--draws", "200"],
    "agree": ["agree", "study", "--raters", "includes,strict/numbers-first", "--draws", "200"],
    "agree-pairwise": ["agree", "--pairwise", "pairs.csv"],
    "agree-pairwise-people": [
        *("agree", "study", "--pairwise-against", "strict/numbers-first"),
        *("--baseline", "includes", "--draws", "200"),
    ],
    "arms": ["arms", "indiafinbench"],
    "references-audit": ["references", "audit", "references.jsonl", "--trusted", "gold"],
    "parity": ["parity", "logged"],
    "rag-build": ["rag", "build", "index", "documents", "--embedder", "none"],
    "rag-query": ["rag", "query", "index", "Until when is a notice filed?", "--k", "2"],
    "provenance": ["provenance", "study"],
    "rag-evaluate": [
        *("rag", "evaluate", "--from", "items.json", "--embedder", "hashing"),
        *("--configurations", "hybrid,bm25", "--draws", "200"),
    ],
    "labels-audit": ["labels", "audit", "log.csv", "--choices", "no,yes"],
    "labels-count": ["labels", "count", "log.parquet", "--choices", "no,yes"],
    "labels-demo": ["labels", "demo"],
    "labels-fingerprint": [
        *("labels", "fingerprint", "--gold", "good=132,bad=68", "--accuracy", "0.66"),
    ],
    "contract-check": ["contract", "check", "credit-limit.yaml"],
    "contract-show": ["contract", "show", "credit-limit.yaml"],
    "contract-scores": ["contract", "scores", "outcomes"],
    "study-info": ["study", "info", "study"],
    "study-check": ["study", "check", "study"],
    "study-clean": ["study", "clean", "study"],
    "study-redact": ["study", "redact", "study", "--pattern", "EUR", "--yes"],
}


def write_inputs(folder: Path) -> None:
    predictions = folder / "source" / "predictions"
    predictions.mkdir(parents=True)
    for target in (folder / "items.json", folder / "source" / "items.json"):
        target.write_text(json.dumps(ITEMS), encoding="utf-8")
    for system, replies in REPLIES.items():
        rows = [f'{item},"{reply}",1' for item, reply in replies.items()]
        text = "\n".join(["id,prediction,correct", *rows, ""])
        for target in (folder / f"{system}.csv", predictions / f"{system}.csv"):
            target.write_text(text, encoding="utf-8")


def write_log(folder: Path) -> None:
    """Write a log of OpenCompass, and a study of it."""
    rows = [("What is the fee?", "EUR 200.", "EUR 200", True), ("Until when?", "", "May 2", False)]
    predictions = {
        str(at): {"origin_prompt": question, "prediction": reply, "gold": gold}
        for at, (question, reply, gold, _) in enumerate(rows)
    }
    details = [
        {"pred": [reply.removesuffix(".")], "answer": [gold], "correct": [is_right]}
        for _, reply, gold, is_right in rows
    ]
    results = {"accuracy": 50.0, "details": details}
    for kind, document in (("predictions", predictions), ("results", results)):
        path = folder / "log" / kind / "alpha" / "fees.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-m", "finassay", "import", "logged", "log"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def write_judged(folder: Path) -> None:
    """Write a study with two judges and two people."""
    rows = [
        "id,system,judge/alpha/single/human/A,judge/alpha/single/none/A,person/ann,person/bob",
        "REG_001,alpha,1,1,1,1",
        "NUM_001,alpha,1,1,1,1",
        "CON_001,alpha,1,1,1,0",
        "REG_001,beta,1,0,1,1",
        "NUM_001,beta,0,1,0,0",
        "CON_001,beta,0,1,0,0",
    ]
    (folder / "verdicts.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    files = ["alpha.csv", "beta.csv", "--items", "items.json"]
    for arguments in (["import", "judged", *files], ["import", "judged", "verdicts.csv"]):
        command = [sys.executable, "-m", "finassay", *arguments]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def write_references(folder: Path) -> None:
    turns = {
        "question": ["What is 12 * 4?", "And half of that?"],
        "gold": ["48", "24"],
        "model_answer": ["12 * 4 = 46", "Half of 48 is 24."],
    }
    text = json.dumps({"id": "R1", **turns}) + "\n"
    (folder / "references.jsonl").write_text(text, encoding="utf-8")


def write_documents(folder: Path) -> None:
    """Write three documents, one of which cannot be read."""
    documents = folder / "documents"
    documents.mkdir()
    front = "---\ntitle: Notices (Filing) Rules, 2020\nregulator: SEBI\ndate: 2020-04-01\n---\n"
    notices = "4. (1) A notice shall be filed within thirty days.\n(2) A late notice bears a fee."
    (documents / "notices.md").write_text(front + notices, encoding="utf-8")
    (documents / "fees.txt").write_text("The fee for a notice is EUR 500.\n", encoding="utf-8")
    (documents / "empty.html").write_text("", encoding="utf-8")


def write_grid(folder: Path) -> None:
    (folder / "grid.toml").write_text(GRID, encoding="utf-8")
    (folder / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    (folder / "pairs.csv").write_text(PAIRS, encoding="utf-8")


def write_contracts(folder: Path, finassay: list[str]) -> None:
    (folder / "outcomes.json").write_text(json.dumps(OUTCOMES), encoding="utf-8")
    for system, reply in (("gamma", "Dismissed."), ("delta", "hard to say")):
        (folder / f"{system}.csv").write_text(f"id,prediction\nO1,{reply}\n", encoding="utf-8")
    for command in (
        ["contract", "new", "credit-limit"],
        ["import", "outcomes", "gamma.csv", "delta.csv", "--items", "outcomes.json"],
        ["score", "outcomes", "--scorer", "contract"],
    ):
        subprocess.run([*finassay, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def write_label_log(folder: Path) -> None:
    rows = [("No.", "no"), ("Yes, it does.", "yes"), ("no or yes", "yes"), ("unclear", "no")]
    frame = pl.DataFrame(rows, schema=["reply", "gold"], orient="row")
    frame.write_csv(folder / "log.csv")
    frame.write_parquet(folder / "log.parquet")


def write_labelled(folder: Path) -> None:
    rows = ["question,gold,reply,label"]
    for number in range(8):
        rows += [
            f"q{number},within thirty days,within thirty days of notice,right",
            f"q{number},within thirty days,within ninety days,{'wrong' if number else 'right'}",
        ]
    (folder / "labelled.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    (folder / "calibration.toml").write_text("[includes]\nwhole_words = [true]\n", encoding="utf-8")


def main() -> None:
    finassay = [sys.executable, "-m", "finassay"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        write_label_log(folder)
        write_grid(folder)
        write_references(folder)
        write_labelled(folder)
        write_log(folder)
        write_judged(folder)
        write_documents(folder)
        write_contracts(folder, finassay)
        shutil.rmtree(EXAMPLES, ignore_errors=True)
        EXAMPLES.mkdir(parents=True)
        for result, arguments in COMMANDS.items():
            target = folder / f"{result}.json"
            command = [*finassay, *arguments, "--json", target.name]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            document = json.loads(target.read_text(encoding="utf-8"))
            text = json.dumps(document, ensure_ascii=False, indent=1)
            (EXAMPLES / target.name).write_text(text + "\n", encoding="utf-8")
            print(f"{result}: {len(text)} characters")


if __name__ == "__main__":
    main()
