"""Chains of sides in free text: a = b = c.  In: any text.  Out: chains with their sides and spans.

A side whose beginning or end is cut off by words that may belong to it is marked, and nothing is
concluded from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finassay.text.arithmetic.nodes import Call, Name, Node
from finassay.text.arithmetic.parsing import NotReadError, Read, read_expression
from finassay.text.arithmetic.tokens import Token, tokens_of

MOST_SIDES = 60
_MOST_LABEL = 8
_BELONGS = frozenset(
    str.split(
        "of by half twice double triple times sum product difference average mean ratio quotient "
        "both per remaining another about almost nearly over under"
    )
)
"""Words before a figure that may take part in the sum."""

_BEFORE = frozenset(
    str.split(
        "about approximately approx roughly around nearly only just exactly the a an total rs inr "
        "usd eur us rupees final answer"
    )
)
"""Words behind a sign of equality that say nothing against the figure that follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a chain.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        node: its expression; None where none could be read.
        label: the words before the expression, as in "total cost = ...", in lower case.
        units: words behind its figures.
        is_whole: whether all of it was read, and in one way only.
        is_led: whether something stands before it in its sentence, as in "net income 2021 = ...".
        is_bracketed: whether a figure alone in brackets, a loss in accounts, stands in it.
        is_signed: whether a sign of a computation, or "of", is written in it.
    """

    start: int
    end: int
    node: Node | None
    label: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    is_whole: bool = True
    is_led: bool = False
    is_bracketed: bool = False
    is_signed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Sides with the relations between them.

    Attributes:
        sides: at least two.
        relations: one fewer: "=", "~", "<", ">", "<=", ">=", "!=" or "mod".
        soft: for each relation, whether a word such as "is" stands for it.
        modulus: of congruences; None otherwise.
    """

    sides: tuple[Side, ...]
    relations: tuple[str, ...]
    soft: tuple[bool, ...]
    modulus: int | None = None

    @property
    def start(self) -> int:
        """Where the chain starts in the text."""
        return self.sides[0].start

    @property
    def end(self) -> int:
        """Where the chain ends in the text."""
        return self.sides[-1].end


def chains_in(text: str) -> tuple[Chain, ...]:
    """Return the chains of a text in order; time is linear in its length."""
    if not any(sign in text for sign in _RELATES) and not _has_words(text):
        return ()
    found = []
    for piece, after in _pieces(tokens_of(text)):
        chain = _chain(piece, after)
        if chain is not None:
            found.append(chain)
    return tuple(found)


_RELATES = "=<>≈≃≅≠≤≥≦≧≡~＝＜＞\\"
_SOFT_WORDS = (" is ", " are ", " gives ", " makes ", " yields ", " totals ", "equal", " to ")


def _has_words(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in _SOFT_WORDS)


def _pieces(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Yield the tokens between two breaks where a relation stands, and the few behind them."""
    piece: list[Token] = []
    relates = False
    for at, token in enumerate(tokens):
        if token.kind == "break" or (token.kind == "line" and not _goes_on(tokens, at)):
            if relates:
                yield piece, list(tokens[at : at + 4])
            piece, relates = [], False
        elif token.kind != "line":
            piece.append(token)
            relates = relates or token.kind in {"relation", "soft"}
    if relates:
        yield piece, []


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a chain goes on over the end of a line."""
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.kind == "relation":
        return True
    if before is None or before.kind not in {"relation", "op"}:
        return False
    return after is not None and after.kind not in {"line", "break"}


def _chain(piece: list[Token], after: list[Token]) -> Chain | None:
    parts: list[list[Token]] = [[]]
    relations: list[str] = []
    soft: list[bool] = []
    for token in piece:
        if token.kind == "relation" or (token.kind == "soft" and _is_stated(parts[-1])):
            if soft and not parts[-1] and token.kind == "relation" and soft[-1]:
                # A word and a sign in a row say it once, as in "x is = 5".
                relations[-1], soft[-1] = token.text, False
                continue
            relations.append(token.text)
            soft.append(token.kind == "soft")
            parts.append([])
        else:
            parts[-1].append(token if token.kind != "soft" else token._replace(kind="word"))
    if not relations or len(parts) > MOST_SIDES or _names_month(piece):
        return None
    sides = [_side(part, first=not at, last=at == len(parts) - 1) for at, part in enumerate(parts)]
    modulus = _modulus(after) if "mod" in relations else None
    return Chain(sides=tuple(sides), relations=tuple(relations), soft=tuple(soft), modulus=modulus)


_MONTHS = frozenset(
    str.split(
        "january february march april may june july august september october november december "
        "jan feb mar apr jun jul aug sep sept oct nov dec"
    )
)


def _names_month(piece: Sequence[Token]) -> bool:
    """Return whether a month stands beside a figure, so that figures are parts of dates."""
    for at, token in enumerate(piece):
        if token.kind == "word" and token.text in _MONTHS:
            around = piece[max(at - 1, 0) : at + 2]
            if any(near.kind in {"number", "op", "relation"} for near in around):
                return True
    return False


def _is_stated(part: Sequence[Token]) -> bool:
    """Return whether "is" behind these tokens states a value: of a figure, letter or label."""
    return bool(part) and part[-1].kind in {"number", "name", "close", "percent", "word"}


def _modulus(after: Sequence[Token]) -> int | None:
    numbers = [token.value for token in after if token.kind == "number"]
    if numbers and any(token.text == "mod" for token in after):
        return int(numbers[0]) if numbers[0].denominator == 1 and numbers[0] > 0 else None
    return None


def _side(tokens: list[Token], *, first: bool, last: bool) -> Side:
    if not tokens:
        return Side(start=0, end=0, node=None, is_whole=False)
    tokens = _balanced(tokens, first=first, last=last)
    label: list[str] = []
    at, cut = 0, False
    read: Read | None = None
    while at < len(tokens):
        if tokens[at].kind in {"word", "of", "junk"}:
            label.append(tokens[at].text)
            at += 1
            continue
        read, step, cut = _attempt(tokens, at, first=first)
        if read is not None:
            break
        at = max(step, at + 1)
        label = []
    if read is None:
        start, end = (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
        return Side(start=start, end=end, node=None, label=tuple(label[-_MOST_LABEL:]))
    begins = at == 0 or not _belongs(tokens[at - 1])
    if not first:
        begins = all(token.kind == "word" and token.text in _BEFORE for token in tokens[:at])
    ends = read.end == len(tokens) or (last and _may_follow(tokens[read.end]))
    return Side(
        start=tokens[at].start,
        end=tokens[read.end - 1].end,
        node=read.node,
        label=tuple(label[-_MOST_LABEL:]),
        units=read.units,
        is_whole=begins and ends and not (cut or read.is_open or read.is_loose),
        is_led=at > 0,
        is_bracketed=_brackets_figure(tokens[at : read.end]),
        is_signed=any(token.kind in {"op", "of", "function"} for token in tokens[at : read.end]),
    )


def _brackets_figure(tokens: Sequence[Token]) -> bool:
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return any(
        (first.kind, inner.kind, last.kind) == ("open", "number", "close")
        for first, inner, last in triples
    )


def _attempt(tokens: list[Token], at: int, *, first: bool) -> tuple[Read | None, int, bool]:
    """Return the expression from a token on, or where to try again; and whether it is cut off."""
    try:
        read = read_expression(tokens, at)
    except NotReadError as error:
        # What is too long is passed over whole: to read it from each of its tokens takes minutes.
        return None, at + 1 if error.reached is None else error.reached, False
    if first and read.end < len(tokens):
        # Only what reaches the relation is the side; the rest of the words are its label.
        return None, read.end, False
    before = tokens[at - 1] if at else None
    return read, read.end, before is not None and before.kind in {"op", "number", "function", "bar"}


def _belongs(token: Token) -> bool:
    return token.kind in {"of", "op", "junk"} or (token.kind == "word" and token.text in _BELONGS)


def _may_follow(token: Token) -> bool:
    """Return whether words may stand behind the last side without belonging to it."""
    return token.kind in {"word", "bang", "soft", "open"} and token.text not in {
        "dozen",
        "pairs",
        "mod",
    }


def _balanced(tokens: list[Token], *, first: bool, last: bool) -> list[Token]:
    """Return a side without a bracket that opens before it or closes behind it."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(at)
        elif token.kind == "close":
            if not opened:
                if last:
                    return tokens[:at]
                continue
            opened.pop()
    if opened and first:
        return tokens[opened[-1] + 1 :]
    return tokens[: opened[0]] if opened and last else tokens


def assigned(side: Side) -> str | None:
    """Return the letter that a side consists of, or None."""
    return side.node.name if isinstance(side.node, Name) and side.is_whole else None


def defined(side: Side) -> tuple[str, str] | None:
    """Return (function, argument) where a side is f(x), or None."""
    node = side.node
    if isinstance(node, Call) and isinstance(node.inner, Name) and side.is_whole:
        return node.name, node.inner.name
    return None
