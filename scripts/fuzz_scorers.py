"""Throw random and damaged texts at every text reader and every scorer.

    python scripts/fuzz_scorers.py [--texts 1000000] [--workers 2] [--state FILE] [--page]

Two questions: does anything raise, and does time grow faster than the text?  For the first, seeded
texts go to all readers of `finassay.text` as they are, a part of them through `finassay.mark` to
`financial`, and all of them to the other scorers in turn.  For the second, readers and scorers get
hostile texts of doubled lengths up to a million characters, timed in processor seconds.

The run says where it stands, and with `--state FILE` goes on where it was stopped.  `--page` writes
docs/reference/robustness.md.  It ends with 1 where something raised, took more than a second for a
million characters (readers), or grew like a power above 1.3 of the length.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import itertools
import json
import math
import pkgutil
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from growth_of_time import Growth, growth, lengths
from hostile_texts import SHAPES, random_text

import finassay.text
from finassay import mark
from finassay.errors import UsageError
from finassay.records import Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer, scorer_names
from finassay.text.normalisers import NORMALISERS, normaliser
from finassay.text.readings import Readings

Reader = Callable[[str], object]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "robustness.md"
SEED = 20261
BLOCK = 2_000
ALWAYS = "financial"
HEAVY = ("embedding", "meteor", "meteor-nowordnet", "math_verify", "peer/inspect")
"""Scorers (by how their names begin) too slow for every turn: one turn in `HEAVY_TURNS`."""
HEAVY_TURNS = 50
TURNS_FOR_ONE_TEXT = 1
ALWAYS_EVERY = 4
"""Texts of which one goes to `financial`, beside the scorer whose turn it is."""
MAIN = (
    ALWAYS,
    "readings.read_all",
    "quantities.read_quantities",
    "dates.read_dates",
    "provisions.read_provisions",
)
"""What is timed on the longest texts; the rest is timed on texts of a sixteenth, or less."""
LONGEST = 1_000_000
READER_LIMIT_S, SCORER_LIMIT_S = 1.0, 5.0
GROWTH_LIMIT = 1.3


@dataclass
class State:
    """Where a run stands."""

    seed: int
    texts: int = 0
    calls: dict[str, int] = field(default_factory=dict)
    failures: list[dict[str, str]] = field(default_factory=list)

    def count(self, name: str) -> None:
        """Count a call."""
        self.calls[name] = self.calls.get(name, 0) + 1

    def add(self, part: State) -> None:
        """Add the calls and failures of the block that follows."""
        self.texts = part.texts
        for name, calls in part.calls.items():
            self.calls[name] = self.calls.get(name, 0) + calls
        self.failures += part.failures


@cache
def readers() -> dict[str, Reader]:
    """Return every public function of `finassay.text` that needs one text and nothing else."""
    found: dict[str, Reader] = {
        f"normaliser {name}": normaliser(name) for name in sorted(NORMALISERS)
    }
    for info in pkgutil.iter_modules(finassay.text.__path__, "finassay.text."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == info.name and takes_one_text(name, function):
                found[f"{info.name.removeprefix('finassay.text.')}.{name}"] = function
    return found


def takes_one_text(name: str, function: Callable[..., object]) -> bool:
    """Whether a function is public and its only required argument is a text."""
    given = inspect.signature(function).parameters.values()
    required = [parameter for parameter in given if parameter.default is parameter.empty]
    return (
        not name.startswith("_")
        and function.__module__ != "finassay.text.normalisers"
        and [parameter.annotation for parameter in required] == ["str"]
        and required[0].name in {"text", "reply", "low", "question"}
    )


@cache
def scorers() -> dict[str, Scorer]:
    """Return every scorer that needs no parameter and whose packages and data are installed."""
    loaded: dict[str, Scorer] = {}
    for name in scorer_names():
        try:
            scorer = load_scorer(name)
            mark(scorer, reference="5 days", reply="10 days", choices=["yes", "no"])
        except (UsageError, TypeError):
            continue
        loaded[name] = scorer
    return loaded


def read(reader: Reader, text: str) -> object:
    """Return what a reader says of a text, all of it read."""
    found = reader(text)
    if isinstance(found, Readings):
        return (*found.quantities, *found.dates, *found.financial_years, *found.provisions)
    return tuple(found) if isinstance(found, Iterator) else found


def spans_are_inside(found: object, text: str) -> bool:
    """Whether all readings with a start and an end lie inside the text."""
    readings = found if isinstance(found, (tuple, list)) else (found,)
    return all(
        0 <= reading.start <= reading.end <= len(text)
        for reading in readings
        if hasattr(reading, "start") and hasattr(reading, "end")
    )


def fuzz(
    state: State,
    count: int,
    save: Callable[[State], None],
    *,
    with_heavy: bool = True,
    workers: int = 1,
) -> None:
    """Mark and read texts until `count` have been tried; heavy scorers get few blocks, or none.

    Blocks are seeded each by itself, so that the texts do not depend on the number of workers.
    """
    blocks = range(state.texts // BLOCK, math.ceil(count / BLOCK))
    starts = [max(block * BLOCK, state.texts) for block in blocks]
    ends = [min((block + 1) * BLOCK, count) for block in blocks]
    task = partial(fuzz_block, state.seed, with_heavy=with_heavy)
    with workers_of(workers) as each:
        for part in each(task, blocks, starts, ends):
            state.add(part)
            save(state)


@contextmanager
def workers_of(workers: int) -> Iterator[Callable[..., Iterator[State]]]:
    """Yield what maps tasks in order: here, or in processes of their own."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=raise_warnings
    ) as pool:
        yield pool.map


def raise_warnings() -> None:
    """Take a warning for a failure."""
    warnings.simplefilter("error")


def fuzz_block(seed: int, block: int, start: int, end: int, *, with_heavy: bool) -> State:
    """Return what the texts of one block did, those before `end`."""
    state = State(seed, texts=start)
    rng = random.Random(f"{seed}/{block}")
    turns = rota(scorers(), heavy_too=with_heavy and block % HEAVY_TURNS == 0)
    while state.texts < end:
        fuzz_one(state, rng, readers(), [next(turns) for _ in range(TURNS_FOR_ONE_TEXT)])
    return state


def rota(all_scorers: dict[str, Scorer], *, heavy_too: bool) -> Iterator[tuple[str, Scorer]]:
    """Yield the scorers in turn for ever, with or without the heavy ones."""
    due = (n for n in all_scorers if n != ALWAYS and (heavy_too or not n.startswith(HEAVY)))
    return itertools.cycle([(name, all_scorers[name]) for name in due])


def fuzz_one(
    state: State,
    rng: random.Random,
    all_readers: dict[str, Reader],
    turns: Sequence[tuple[str, Scorer]],
) -> None:
    """Give one text to all readers, a part to `financial`, and to the scorer whose turn it is."""
    text = random_text(rng)
    for name, reader in all_readers.items():
        state.count(name)
        guarded(state, name, text, lambda reader=reader: check_reading(reader, text))
    reference = random_text(rng)[:200] if rng.random() < 0.7 else text
    question = random_text(rng)[:200] if rng.random() < 0.3 else ""
    choices = [random_text(rng)[:20], "yes", "B"] if rng.random() < 0.3 else None
    is_due = ALWAYS in scorer_names() and state.texts % ALWAYS_EVERY == 0
    always = [(ALWAYS, load_scorer(ALWAYS))] if is_due else []
    for name, scorer in (*always, *turns):
        state.count(name)
        call = partial(
            check_verdict,
            scorer,
            reference=reference,
            text=text,
            question=question,
            choices=choices,
        )
        guarded(state, name, f"{reference!r} <- {text!r} | {question!r} | {choices!r}", call)
    state.texts += 1


def guarded(state: State, name: str, shown: str, call: Callable[[], str | None]) -> None:
    """Call, and note what went wrong."""
    try:
        wrong = call()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the script looks for
        wrong = f"{type(error).__name__}: {error}"
    if wrong is not None:
        state.failures.append({"what": name, "error": wrong[:300], "text": ascii(shown)[:2000]})


def check_reading(reader: Reader, text: str) -> str | None:
    """Return what is wrong with what a reader says, or None."""
    return None if spans_are_inside(read(reader, text), text) else "a span outside the text"


def check_verdict(
    scorer: Scorer, *, reference: str, text: str, question: str, choices: list[str] | None
) -> str | None:
    """Return what is wrong with a verdict, or None."""
    verdict = mark(scorer, reference=reference, reply=text, question=question, choices=choices)
    if not isinstance(verdict, Verdict):
        return f"no verdict but {verdict!r}"
    return None if verdict.is_scored or verdict.reason else "no value and no reason"


def growths(longest: int) -> Iterator[Growth]:
    """Yield the growth of every reader and scorer on every shape, the main ones to the longest."""
    for name, reader in readers().items():
        to = longest if name in MAIN else longest >> 4
        yield from growths_of(name, partial(read, reader), limit_s=READER_LIMIT_S, to=to)
    for name, scorer in scorers().items():
        if not name.startswith(HEAVY):
            to = longest if name in MAIN else longest >> 6
            yield from growths_of(name, partial(mark_long, scorer), limit_s=SCORER_LIMIT_S, to=to)


def growths_of(
    name: str, call: Callable[[str], object], *, limit_s: float, to: int
) -> Iterator[Growth]:
    """Yield the growth of one reader or scorer on every shape."""
    print(f"timing {name}", file=sys.stderr, flush=True)
    for shape in SHAPES:
        yield growth(name, call, shape, limit_s=limit_s, lengths=lengths(to))


def mark_long(scorer: Scorer, text: str) -> Verdict:
    """Return the verdict on a long reply to an everyday question."""
    return mark(
        scorer,
        reference="Rs. 5 crore within 30 days",
        reply=text,
        question="What is the limit, in Rs. crore?",
        choices=["yes", "no", "Rs. 5 crore"],
    )


def complaints(found: Sequence[Growth]) -> list[str]:
    """Return what grows too fast or takes too long."""
    names = readers()
    return [
        f"{one.what} on {one.shape}: {one.seconds:.2f} s for {one.length:,} characters, "
        f"power {one.power:.2f}"
        for one in found
        if one.power > GROWTH_LIMIT
        or one.seconds > (READER_LIMIT_S if one.what in names else SCORER_LIMIT_S)
    ]


def written_page(state: State, found: Sequence[Growth]) -> str:
    """Return the page of results; without times where none were taken."""
    lines = [
        "# What hostile text does to readers and scorers\n",
        (
            f"{state.texts:,} seeded texts (random Unicode with controls, combining marks, "
            "direction marks and lone halves of surrogate pairs; real-shaped replies with random "
            "damage; soups of the very marks that readers look for; long runs) went to every "
            f"reader of `finassay.text` as they are, one in {ALWAYS_EVERY} through `finassay.mark` "
            "to `financial`, and all of them, in turn, to every other scorer that needs no "
            "parameter (the slowest in few turns): "
            f"{sum(state.calls.values()):,} calls. **Exceptions, spans outside the text and "
            f"verdicts without a reason: {len(state.failures)}.** Written by "
            "`scripts/fuzz_scorers.py --page`; `--state FILE` goes on with a run that was "
            "stopped.\n"
        ),
    ]
    if found:
        lines.append(
            f"Then {len(SHAPES)} shapes of hostile text were doubled ten times, for the main "
            f"readers and `financial` up to {LONGEST:,} characters. *Power* is the slope of log "
            "time over log length (1 is linear; 0 where all times were too short to tell); both "
            "figures are the worst over all shapes, in processor seconds.\n"
        )
    times = " worst power | on | most seconds | for characters | on |" if found else ""
    lines += [f"| reader or scorer | calls |{times}", f"|---|---|{'---|' * (5 if found else 0)}"]
    for name in dict.fromkeys((*(one.what for one in found), *state.calls)):
        own = [one for one in found if one.what == name]
        lines.append(f"| `{name}` | {state.calls.get(name, 0):,} |{timed(own) if found else ''}")
    return "\n".join(lines) + "\n"


def timed(own: Sequence[Growth]) -> str:
    """Return the cells of a row that tell how time grows."""
    if not own:
        return " not timed | | | | |"
    steep = max(own, key=lambda one: one.power)
    slow = max(own, key=lambda one: (one.length, one.seconds))
    return (
        f" {steep.power:.2f} | {steep.shape} | {slow.seconds:.2f} | {slow.length:,} "
        f"| {slow.shape} |"
    )


def load_state(path: Path | None, seed: int) -> State:
    """Return where a run of this seed stopped, or a new one."""
    if path is not None and path.is_file():
        state = State(**json.loads(path.read_text(encoding="utf-8")))
        if state.seed == seed:
            return state
    return State(seed)


def save_state(path: Path | None, state: State) -> None:
    """Write where the run stands, aside and then renamed, and say it."""
    print(f"{state.texts:,} texts, {len(state.failures)} failures", file=sys.stderr, flush=True)
    if path is not None:
        aside = path.with_suffix(".part")
        aside.write_text(json.dumps(asdict(state)), encoding="utf-8")
        aside.replace(path)


def main() -> int:
    """Run, report, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=1, help="processes that read texts")
    parser.add_argument("--state", type=Path, help="file that says where the run stands")
    parser.add_argument("--growth", choices=("full", "short", "none"), default="full")
    parser.add_argument("--page", action="store_true", help="write docs/reference/robustness.md")
    options = parser.parse_args()
    raise_warnings()
    state = load_state(options.state, options.seed)
    fuzz(state, options.texts, partial(save_state, options.state), workers=options.workers)
    found: list[Growth] = []
    if options.growth != "none":
        found = list(growths(LONGEST if options.growth == "full" else LONGEST >> 4))
    for failure in state.failures[:20]:
        print(f"{failure['what']}: {failure['error']}\n    {failure['text']}")
    slow = complaints(found)
    print("\n".join((f"{state.texts:,} texts, {len(state.failures)} failures", *slow)))
    if options.page:
        PAGE.write_text(written_page(state, found), encoding="utf-8")
    return 1 if state.failures or slow else 0


if __name__ == "__main__":
    sys.exit(main())
