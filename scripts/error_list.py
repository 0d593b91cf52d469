"""List every error that the source raises on purpose, or write docs/reference/errors.md of it.

    python scripts/error_list.py            print class, exit code, message and file
    python scripts/error_list.py --write    write the page
    python scripts/error_list.py --check    fail if the page is out of date
    python scripts/error_list.py --poor     print the messages that do not say what to do

The list is read from the syntax tree: nothing of the source is imported but its errors.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from finassay import errors

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "finassay"
PAGE = ROOT / "docs" / "reference" / "errors.md"
HEAD = """\
# Every error message

What Finassay raises on purpose, by class. Parts in braces are filled in; a part such as `{name!r}`
is shown in quotes, as it was got. Where a message is put together elsewhere, only the part is
listed that stands in the source. [Errors and exit codes](exit-codes.md) draws the classes as a
tree; the command line prints the message after `finassay:` and returns the exit code of the class.
"""

LONGEST_PART = 40
"""Characters of an expression in braces that are shown."""

VERBS = (
    "add adjust ask audit break bring build call check choose clean close convert copy correct "
    "create cut declare did draw drop end escape export fetch file fill finish first free get "
    "give go hand import install it join judge keep label lay leave list load look make mark mend "
    "merge move name nothing open pair pass pick point print put qualify read rebuild record "
    "reinstall remove rename repair repeat replace replay restore revoke run save say score "
    "search see send set settle shorten spell split start stop swap take tell there tighten try "
    "turn type unpack unset update use wait write"
)
"""Words with which a piece of advice begins, after a mark or a bracket."""

ADVICE = re.compile(
    rf"[;:,.(] *(?:(?:or|so) )?(?:{VERBS.replace(' ', '|')})\b|choose another"
    r"|expected|must|needs|\bgot\b|(?:bring|brings|lists) "
)
"""What tells a reader what to do, or what would have been right."""

PASSED_ON = re.compile(r"\{(?:hint|what|advice|told|_damage|_plain|RESTORE_LABELS)\b.*\}$")
"""Messages that end in a piece that says it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One place where an error is made: its class, template and file."""

    kind: str
    template: str
    file: str


def kinds() -> Mapping[str, type[errors.FinassayError]]:
    """Return the classes of errors by name, as the source declares them."""
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.FinassayError)
    }


def template(node: ast.expr) -> str:
    """Return the text of an expression, with what is filled in between braces."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(template, node.values))
    if isinstance(node, ast.FormattedValue):
        how = "!r" if node.conversion == ord("r") else ""
        return "{" + shortened(ast.unparse(node.value)) + how + "}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return template(node.left) + template(node.right)
    return "{" + shortened(ast.unparse(node)) + "}"


def shortened(text: str) -> str:
    """Return an expression on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_PART else f"{line[:LONGEST_PART]}..."


def messages_of(path: Path, known: Mapping[str, object]) -> Iterator[Message]:
    """Yield every error that a file makes, in the order of the file."""
    text = path.read_text(encoding="utf-8")
    if "Error(" not in text:
        return
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.args)
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        name = call.func.id if isinstance(call.func, ast.Name) else name
        if name in known:
            yield Message(name, template(call.args[0]), path.relative_to(SOURCE).as_posix())


def all_messages() -> list[Message]:
    """Return every error of the source, by file."""
    known = kinds()
    return [
        message for path in sorted(SOURCE.rglob("*.py")) for message in messages_of(path, known)
    ]


def is_poor(message: Message) -> bool:
    """Whether a message says neither what was expected nor what to do."""
    bare = re.sub(r"\{[^{}]*\}", "", message.template)
    is_frame = not re.search("[a-z]{3}", bare)
    return not (is_frame or PASSED_ON.search(message.template) or ADVICE.search(message.template))


def page_of(messages: list[Message]) -> str:
    """Return the page: a section for each class, a line for each message."""
    parts = [HEAD]
    for name, kind in kinds().items():
        of_kind = dict.fromkeys(one for one in messages if one.kind == name)
        if not of_kind:
            continue
        said = (inspect.getdoc(kind) or "").splitlines()[0]
        parts.append(f"\n## {name}\n\nExit code {kind.exit_code}. {said}\n\n")
        parts += [f"- {as_code(one.template)} (`{one.file}`)\n" for one in of_kind]
    return "".join(parts)


def as_code(text: str) -> str:
    """Return a text as code in Markdown, whatever backticks it holds."""
    line = " ".join(text.split())
    longest = max(map(len, re.findall(r"`+", line)), default=0)
    fence, pad = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def main() -> int:
    """Print, write or compare, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    group = parser.add_mutually_exclusive_group()
    for name in ("write", "check", "poor"):
        group.add_argument(f"--{name}", action="store_true")
    asked = parser.parse_args()
    messages = all_messages()
    page = page_of(messages)
    if asked.write:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    if asked.check:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page:
            return 0
        print(f"{PAGE.name} is not what the source raises; run `make pages`", file=sys.stderr)
        return 1
    known = kinds()
    for one in messages:
        if not asked.poor or is_poor(one):
            print(f"{one.kind} ({known[one.kind].exit_code}) {one.file}: {one.template}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
