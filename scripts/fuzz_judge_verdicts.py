"""Read made-up judge replies whose verdict is known, and look for wrong readings.

    python scripts/fuzz_judge_verdicts.py [--replies 1000000] [--seed 1] [--page FILE]

A reply that is left unread costs coverage; a reply that is read wrongly costs trust.  The script
counts both, prints every wrong reading and ends with 1 where there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from made_judge_replies import MadeReply, random_reply

from finassay.scorers.judge_verdicts import Reading, read_verdict

BLOCK = 10_000
MOST_SHOWN = 50


@dataclass
class Tally:
    """What became of the replies: (kind, outcome) -> count, and the wrong readings."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[tuple[MadeReply, Reading]] = field(default_factory=list)

    @property
    def replies(self) -> int:
        """Replies that were read."""
        return sum(self.counts.values())


def outcome(made: MadeReply, reading: Reading) -> str:
    """Return "right", "left unread", or how the reading is wrong."""
    if reading.status != "scored":
        return "right" if made.truth is None else "left unread"
    if reading.label == made.truth:
        return "right"
    return f"wrong {reading.label}"


def fuzz(replies: int, seed: int, *, tell: bool = False) -> Tally:
    """Return the tally of so many replies; block by block, so that a seed names each of them."""
    tally = Tally()
    for block in range(0, replies, BLOCK):
        rng = random.Random(f"{seed}/{block // BLOCK}")
        for _ in range(min(BLOCK, replies - block)):
            made = random_reply(rng)
            reading = read_verdict(made.text, menu=made.menu, finish=made.finish)
            said = outcome(made, reading)
            tally.counts[made.kind, said] += 1
            if said.startswith("wrong"):
                tally.wrong.append((made, reading))
        if tell:
            print(
                f"{tally.replies:,} replies, {len(tally.wrong)} wrong", file=sys.stderr, flush=True
            )
    return tally


def table(tally: Tally) -> str:
    """Return the counts by kind as Markdown."""
    kinds = sorted({kind for kind, _ in tally.counts})
    lines = ["| kind | replies | as made | left unread | wrong |", "|---|--:|--:|--:|--:|"]
    for kind in kinds:
        counts = Counter({said: n for (of, said), n in tally.counts.items() if of == kind})
        n, right, unread = counts.total(), counts["right"], counts["left unread"]
        lines.append(f"| {kind} | {n:,} | {right:,} | {unread:,} | {n - right - unread:,} |")
    right = sum(n for (_, said), n in tally.counts.items() if said == "right")
    unread = sum(n for (_, said), n in tally.counts.items() if said == "left unread")
    n = tally.replies
    lines.append(f"| all | {n:,} | {right:,} | {unread:,} | {n - right - unread:,} |")
    return "\n".join(lines)


def main() -> int:
    """Read the replies and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    tally = fuzz(options.replies, options.seed, tell=True)
    print(table(tally))
    for made, reading in tally.wrong[:MOST_SHOWN]:
        print(f"{made.kind}: made {made.truth}, read {reading.label}: {made.text!r}")
    if options.page is not None:
        options.page.write_text(f"{table(tally)}\n", encoding="utf-8")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
