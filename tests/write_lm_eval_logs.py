"""Write logs with lm-evaluation-harness itself and its dummy model.

Run as a program with a directory: the tool is heavy, and warns of things that are none of ours.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

DOCS = 4

GENERATIVE = """task: toy_gen
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "Q: {{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"], max_gen_toks: 8}}
repeats: 2
filter_list:
  - name: strict-match
    filter: [{{function: regex, regex_pattern: "(-?[0-9]+)"}}, {{function: take_first}}]
  - name: flexible-extract
    filter: [{{function: regex, regex_pattern: "(o)"}}, {{function: take_first}}]
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""

CHOICE = """task: toy_mc
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "Q: {{{{question}}}}"
doc_to_target: "{{{{label}}}}"
doc_to_choice: "{{{{options}}}}"
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: f1
    aggregation: f1
"""


def main(folder: Path) -> None:
    data = folder / "docs.jsonl"
    docs = [
        {
            "question": f"What is {n}+{n}?\u2028Say it",
            "answer": str(2 * n),
            "options": ["A one", "B two"],
            "label": n % 2,
        }
        for n in range(DOCS)
    ]
    data.write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    for name, text in (("gen", GENERATIVE), ("mc", CHOICE)):
        (folder / f"{name}.yaml").write_text(text.format(data=data))
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    results = lm_eval.simple_evaluate(
        model="dummy",
        tasks=["toy_gen", "toy_mc"],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        log_samples=True,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
