"""Measures the import of a large log of lm-evaluation-harness, and in how much memory.

    python benchmarks/lm_eval_import.py
    python benchmarks/lm_eval_import.py --lines 1000000

Writes lines as release 0.4.13 writes them with `--log_samples`: half as many documents as lines,
each once for either of two filters, with a prompt of some forty words and a reply of sixty.  Prints
wall and CPU seconds, MB/s, and the peak resident memory of the process that imports.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

DATE = "2026-01-02T03-04-05.678901"
FILTERS = ("strict-match", "flexible-extract")
SENTENCE = (
    "the issuer shall report total revenue of crore rupees for the fiscal year that ended in "
    "march and its net profit margin was"
)
WORDS = SENTENCE.split(" ")
MODEL = "org/small"

OURS = """
import json, resource, sys, time
from pathlib import Path
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.study import Study
study = Study.create(Path(sys.argv[2]) / "study")
wall, cpu = time.perf_counter(), time.process_time()
report = import_logs(study, find_logs([Path(sys.argv[1])]).sources)
spent = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
assert report.bad == 0, report.to_lines()
print(json.dumps([report.sources[0].samples, report.systems[0].imported, *spent, peak]))
"""


def words(draw, count):
    return " ".join(draw.choices(WORDS, k=count))


def line(draw, number, name):
    question = words(draw, 40)
    return {
        "doc_id": number,
        "doc": {"question": question, "answer": f"{words(draw, 20)} #### {number}"},
        "target": f"{number}",
        "arguments": {
            "gen_args_0": {
                "arg_0": f"Question: {question}\nAnswer:",
                "arg_1": {"until": ["Question:", "</s>"], "do_sample": False, "temperature": 0.0},
            }
        },
        "resps": [[f"{words(draw, 60)} {number}"]],
        "filtered_resps": [f"{number}"],
        "filter": name,
        "metrics": ["exact_match"],
        "doc_hash": "d" * 64,
        "prompt_hash": "p" * 64,
        "target_hash": "t" * 64,
        "exact_match": float(number % 3 == 0),
    }


def write(folder, lines):
    folder.mkdir()
    path = folder / f"samples_gsm8k_{DATE}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for name in FILTERS:
            draw = random.Random(7)
            for number in range(lines // len(FILTERS)):
                stream.write(json.dumps(line(draw, number, name), ensure_ascii=False) + "\n")
    config = {
        "task": "gsm8k",
        "output_type": "generate_until",
        "filter_list": [{"name": name} for name in FILTERS],
        "metric_list": [{"metric": "exact_match", "aggregation": "mean"}],
    }
    told = {
        "results": {"gsm8k": {f"exact_match,{name}": 1 / 3 for name in FILTERS}},
        "configs": {"gsm8k": config},
        "config": {"model": "hf", "model_args": f"pretrained={MODEL}"},
        "date": 1.0,
    }
    (folder / f"results_{DATE}.json").write_text(json.dumps(told), encoding="utf-8")
    return path.stat().st_size / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write(folder / "logs", asked.lines)
        command = [sys.executable, "-c", OURS, str(folder / "logs"), name]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    lines, kept, wall, cpu, peak = json.loads(ran.stdout)
    print(f"log: {lines} lines of {kept} answers, {size:.0f} MB")
    print(f"import into a study: {wall:.1f} s, CPU {cpu:.1f} s, {size / wall:.0f} MB/s,")
    print(f"  {1e6 * wall / lines:.0f} us a line, peak memory {peak:.0f} MB")
    print(f"a million lines at this rate: {wall / lines * 1e6:.0f} s")
    if asked.json:
        told = {
            "lines": lines,
            "answers": kept,
            "seconds_per_million_lines": wall / lines * 1e6,
            "mb_per_second": size / wall,
            "peak_mb": peak,
        }
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
