"""Measures the import of a large Inspect log beside Inspect's own reader, and in how much memory.

    python benchmarks/inspect_import.py
    python benchmarks/inspect_import.py --samples 100000 --theirs 2000

Inspect itself writes a log of 200 samples with its mock model (two scorers, texts of some hundred
characters, events included).  The entries of its samples are written again under new ids until the
log is as large as asked for, packed by Zstandard as the tool packs them.  The whole is imported
into a new study in a process of its own; `read_eval_log` reads a log of `--theirs` samples of the
same make, since it holds all samples in memory.  Both are printed in wall and CPU seconds, with the
peak resident memory of either process.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SEED_SAMPLES = 200
FIELDS = "id, epoch, input, target, completion, stop reason, usage, scores"

WRITE = """
import sys
import inspect_ai.model._model as model_module
import inspect_ai.model._tokens as tokens_module
from inspect_ai import Task, eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate

# The tool counts tokens with a vocabulary that it downloads.
model_module.count_text_tokens = tokens_module.count_text_tokens = lambda text: len(text.split())
said = "The issuer shall hold at least 20% of the post-issue capital for {} years. "
samples = [
    Sample(id=f"seed-{n}", input=f"Question {n}. " + said.format(n) * 4, target=str(n))
    for n in range(int(sys.argv[2]))
]
model = get_model(
    "mockllm/model",
    custom_outputs=lambda messages, *_: ModelOutput.from_content(
        "mockllm/model", said.format(messages[-1].text.split()[1]) * 3
    ),
)
task = Task(dataset=samples, solver=generate(), scorer=[match(), includes()], name="large")
evaluate(task, model=model, log_dir=sys.argv[1], log_format="eval", display="none")
"""

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
print(json.dumps([report.systems[0].imported, *spent, peak]))
"""

THEIRS = """
import json, resource, sys, time
from inspect_ai.log import read_eval_log
wall, cpu = time.perf_counter(), time.process_time()
log = read_eval_log(sys.argv[1])
read = [
    (one.id, one.epoch, one.input, one.target, one.output.completion, one.output.stop_reason,
     one.output.usage, {name: score.value for name, score in one.scores.items()})
    for one in log.samples
]
spent = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([len(read), *spent, peak]))
"""


def run(program, *arguments):
    command = [sys.executable, "-W", "ignore", "-c", program, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return ran.stdout


def enlarged(seed, target, samples):
    """Write the entries of a log under new ids until it holds so many samples."""
    import zipfile_zstd  # noqa: F401, PLC0415 - teaches zipfile method 93

    with zipfile.ZipFile(seed) as old, zipfile.ZipFile(target, "w", 93) as new:
        entries = [name for name in old.namelist() if name.startswith("samples/")]
        texts = [(json.loads(old.read(name))["id"], old.read(name).decode()) for name in entries]
        new.writestr("_journal/start.json", old.read("_journal/start.json"))
        for number in range(samples):
            identity, text = texts[number % len(texts)]
            mine = f"q-{number}"
            # The id is the first field: nothing else of the sample is rewritten.
            new.writestr(f"samples/{mine}_epoch_1.json", text.replace(identity, mine, 1))
        new.writestr("header.json", old.read("header.json"))
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--theirs", type=int, default=2_000)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(WRITE, folder / "seed", SEED_SAMPLES)
        seed = next((folder / "seed").iterdir())
        large = enlarged(seed, folder / "large.eval", asked.samples)
        small = enlarged(seed, folder / "small.eval", asked.theirs)
        size = large.stat().st_size / 1e6
        n, wall, cpu, peak = json.loads(run(OURS, large, folder))
        m, their_wall, their_cpu, their_peak = json.loads(run(THEIRS, small))
    print(f"log: {n} samples, {size:.0f} MB packed; fields: {FIELDS}")
    print(f"import into a study: {wall:.1f} s ({1e6 * wall / n:.0f} us a sample), CPU {cpu:.1f} s,")
    print(f"  peak memory {peak:.0f} MB")
    print(
        f"read_eval_log, {m} samples: {their_wall:.1f} s ({1e6 * their_wall / m:.0f} us a sample),"
    )
    print(f"  CPU {their_cpu:.1f} s, peak memory {their_peak:.0f} MB")
    print(
        f"ratio a sample: wall {their_wall / m * n / wall:.1f}, CPU {their_cpu / m * n / cpu:.1f}"
    )
    if asked.json:
        ours_us, theirs_us = 1e6 * wall / n, 1e6 * their_wall / m
        told = {
            "samples": n,
            "import_us_per_sample": ours_us,
            "read_eval_log_us_per_sample": theirs_us,
            "ratio": theirs_us / ours_us,
            "peak_mb": peak,
        }
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
