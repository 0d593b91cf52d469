"""Write docs/reference/adversarial.md: what rules make of replies that mislead careless ones.

Run without arguments to rewrite the page; --check compares it with what stands there, and --wrong
RULE prints the replies that a rule marks wrongly.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from finassay.benchmarks.adversarial import KindErrors, adversarial_errors, adversarial_replies
from finassay.records import RIGHT
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer, scorer_names

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "adversarial.md"
RULES = (
    "financial",
    "number_set",
    "includes",
    "token_set",
    "strict/numbers-first",
    "peer/any-number",
    "math_verify",
)
HEAD = """\
# Replies that mislead careless rules

The set `finassay-adversarial` holds {replies} replies in {kinds} kinds, in pairs: one reply gives
the reference's answer, its twin differs in one thing and does not. *Accepted* counts the wrong
replies that a rule marks right, *rejected* the right replies that it does not mark right (a reply
that the rule does not score counts as rejected). All facts are invented, and no answer needs a
context.

Try any rule on it:

```python
from finassay.benchmarks.adversarial import adversarial_errors, adversarial_replies
from finassay.scorers.registry import load_scorer

rule = load_scorer("token_set[threshold=0.9]")
marks = {{
    reply.reply_id: (rule.score(item=reply.item, prediction=reply.prediction).value or 0) >= 0.5
    for reply in adversarial_replies()
}}
*kinds, total = adversarial_errors(marks)
print(total.false_accept_share, total.false_reject_share)
```

The page is written by `scripts/adversarial_table.py`. How the set was made and read a second time
stands beside the data, in `src/finassay/benchmarks/data/README.md`.

"""


def errors(rule: Scorer) -> tuple[KindErrors, ...]:
    """Return the errors of a rule, kind by kind and over all."""
    return adversarial_errors(
        {
            reply.reply_id: is_right(rule.score(item=reply.item, prediction=reply.prediction).value)
            for reply in adversarial_replies()
        }
    )


def is_right(value: float | None) -> bool:
    """Whether a value counts as right."""
    return value is not None and value >= RIGHT


def cell(kind: KindErrors) -> str:
    """Return the errors of one kind as "accepted / rejected", with shares in the last row."""
    if kind.kind != "all":
        return f"{kind.false_accepts} / {kind.false_rejects}"
    accepted, rejected = kind.false_accept_share or 0.0, kind.false_reject_share or 0.0
    return f"**{100 * accepted:.1f}% / {100 * rejected:.1f}%**"


def page() -> str:
    """Return the page."""
    rules = [name for name in RULES if name in scorer_names()]
    columns = [errors(load_scorer(name)) for name in rules]
    head = HEAD.format(replies=len(adversarial_replies()), kinds=len(columns[0]) - 1)
    lines = [
        "Wrong replies accepted / right replies rejected:\n",
        f"| kind | pairs | {' | '.join(f'`{name}`' for name in rules)} |",
        f"|---|---|{'---|' * len(rules)}",
    ]
    for row in zip(*columns, strict=True):
        cells = " | ".join(map(cell, row))
        lines.append(f"| {row[0].kind} | {row[0].n_different} | {cells} |")
    return head + "\n".join(lines) + "\n"


def show_wrong(name: str) -> None:
    """Print the replies that a rule marks wrongly."""
    rule = load_scorer(name)
    for reply in adversarial_replies():
        verdict = rule.score(item=reply.item, prediction=reply.prediction)
        if is_right(verdict.value) != reply.is_equivalent:
            print(f"\n{reply.reply_id}  {verdict.status} {verdict.value}: {verdict.reason}")
            print(f"  question:  {reply.item.question}\n  reference: {reply.item.reference}")
            print(f"  reply:     {reply.prediction.text!r}")


def main() -> int:
    """Write or compare the page, or print what a rule marks wrongly; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    parser.add_argument("--wrong", metavar="RULE", help="print the replies it marks wrongly")
    options = parser.parse_args()
    if options.wrong:
        show_wrong(options.wrong)
        return 0
    text = page()
    if not options.check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what the rules say; run this script", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
