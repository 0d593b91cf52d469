"""Expressions out of tokens.  In: the tokens of one side.  Out: a tree, and how far it reaches.

Precedence is that of school: powers, products, sums; a factor may stand without a sign ("2x",
"3(4 + 1)").  Words behind a figure are its unit and are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from finassay.text.arithmetic.nodes import Binary, Call, Name, Node, Number, Unary
from finassay.text.arithmetic.tokens import SCALES, Token

MOST_DEPTH = 24
MOST_SIGNS = 160
"""Nesting and signs of one expression; a longer one is not read."""

MOST_UNIT_WORDS = 4
_BINDING = {"+": 10, "-": 10, "*": 20, "/": 20, "%": 20, "^": 40}
_SIGN = 30
_LETTERS = frozenset("mghslLKWJNVAF")
"""Letters that are units where they stand apart behind a figure."""

_CALLED = frozenset("fghFGHPQ")
_STARTS = frozenset({"number", "name", "open", "function", "bar"})


class NotReadError(Exception):
    """No expression stands here.

    Attributes:
        reached: index of the token up to which one was read that is too long; None otherwise.
    """

    def __init__(self, reason: str, reached: int | None = None) -> None:
        super().__init__(reason)
        self.reached = reached


class Read(NamedTuple):
    """What was read of some tokens.

    Attributes:
        node: the expression.
        end: index of the token behind it.
        units: words behind its figures.
        is_open: whether a sign without an operand stands behind it, so that more belonged to it.
        is_loose: whether it can be read in two ways, such as 1/2x.
    """

    node: Node
    end: int
    units: tuple[str, ...]
    is_open: bool
    is_loose: bool


def read_expression(tokens: Sequence[Token], start: int = 0) -> Read:
    """Return the longest expression that begins at a token.

    Raises:
        NotReadError: none begins there, or it is nested too deep or too long.
    """
    reader = _Reader(tokens, start)
    node = reader.expression(0, 0)
    return Read(node, reader.at, tuple(reader.units), reader.is_open, reader.is_loose)


class _Reader:
    """Reads one expression; `at` is the token that comes next."""

    def __init__(self, tokens: Sequence[Token], at: int) -> None:
        self.tokens, self.at = tokens, at
        self.units: list[str] = []
        self.is_open = self.is_loose = False
        self._signs = self._bars = 0

    def _next(self, ahead: int = 0) -> Token | None:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def expression(self, binding: int, depth: int) -> Node:
        """Return the expression whose signs bind stronger than `binding`."""
        if depth > MOST_DEPTH:
            raise NotReadError("nested too deep")
        left = self._operand(depth)
        while True:
            left = self._behind(left)
            sign, width = self._sign()
            if sign is None:
                return left
            strength = _BINDING[sign]
            if strength <= binding and not (sign == "^" and strength == binding):
                return left
            self._count()
            if not self._starts(self.at + width):
                self.is_open = True
                return left
            if not width and isinstance(left, Binary) and left.sign == "/":
                # 1/2x: who knows; (1/2)x is plain.
                self.is_loose = self.is_loose or self.tokens[self.at - 1].kind != "close"
            self.at += width
            right = self.expression(strength - (sign == "^"), depth + 1)
            left = Binary(sign, left, right)

    def _count(self) -> None:
        self._signs += 1
        if self._signs > MOST_SIGNS:
            raise NotReadError("too long", self.at)

    def _sign(self) -> tuple[str | None, int]:
        """Return the sign that comes next and how many tokens it takes: 0 where none is written."""
        token = self._next()
        if token is None or token.kind == "op":
            return (None, 0) if token is None else (token.text, 1)
        before = self.tokens[self.at - 1]
        times = token.kind == "name" and token.text in "xX" and self._is_times(before)
        share = token.kind == "of" and before.kind in {"percent", "number", "close"}
        if times or share:
            return "*", 1
        is_unit = token.kind == "name" and self._is_unit(token, 0)
        touches = before.end == token.start or token.kind != "open"
        factor = touches and before.kind in {"number", "name", "close"} and self._is_factor(token)
        return ("*", 0) if factor and not is_unit else (None, 0)

    def _is_factor(self, token: Token) -> bool:
        """Return whether a token begins a factor that stands without a sign."""
        return token.kind in {"name", "open", "function"} or (
            token.kind == "bar" and not self._bars
        )

    def _is_times(self, before: Token) -> bool:
        """Return whether an x between two figures is a sign of multiplication."""
        after = self._next(1)
        return before.kind in {"number", "percent"} and after is not None and after.kind == "number"

    def _starts(self, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        return token.kind in _STARTS or (token.kind == "op" and token.text in "+-")

    def _operand(self, depth: int) -> Node:
        token = self._next()
        if token is None:
            raise NotReadError("nothing")
        self.at += 1
        if token.kind == "number":
            return self._number(token)
        if token.kind == "name":
            return self._name(token, depth)
        if token.kind == "op" and token.text in "+-":
            self._count()
            return Unary(token.text, self.expression(_SIGN, depth + 1))
        if token.kind == "open":
            return self._loss() or self._closed(depth, "close")
        if token.kind == "bar":
            self._bars += 1
            node = Unary("abs", self._closed(depth, "bar"))
            self._bars -= 1
            return node
        if token.kind == "function":
            return self._function(token, depth)
        self.at -= 1
        raise NotReadError(token.text)

    def _number(self, token: Token) -> Node:
        node: Node = Number(token.value, token.unit)
        over, slash, under = self._next(), self._next(1), self._next(2)
        if over and slash and under and over.kind == under.kind == "number" and slash.text == "/":
            whole = all(part.value.denominator == 1 for part in (token, over, under))
            if whole and 0 < over.value < under.value:
                # "3 1/2"
                self.at += 3
                return Number(token.value + over.value / under.value)
        if over and over.kind == "number" and over.value.denominator > 1 and not over.unit:
            self.at += 1
            return Number(token.value + over.value)
        return node

    def _name(self, token: Token, depth: int) -> Node:
        after = self._next()
        if token.text in _CALLED and after is not None and after.kind == "open":
            self.at += 1
            return Call(token.text, self._closed(depth, "close"))
        return Name(token.text)

    def _closed(self, depth: int, end: str) -> Node:
        inner = self.expression(0, depth + 1)
        token = self._next()
        if token is None or token.kind != end:
            raise NotReadError("not closed")
        self.at += 1
        return inner

    def _loss(self) -> Node | None:
        """Return a figure in brackets with a scale word behind: "(505) million" is negative."""
        figure, end, scale = self._next(), self._next(1), self._next(2)
        if figure is None or end is None or scale is None or scale.text not in SCALES:
            return None
        if figure.kind != "number" or end.kind != "close" or scale.kind != "word":
            return None
        self.at += 3
        times = SCALES[scale.text]
        return Unary("-", Number(figure.value * times, figure.unit * times))

    def _function(self, token: Token, depth: int) -> Node:
        if token.text == "frac":
            over = self._braced(depth)
            return Binary("/", over, self._braced(depth))
        after = self._next()
        if after is not None and after.kind == "open":
            self.at += 1
            inner = self._closed(depth, "close")
        else:
            inner = self.expression(_SIGN, depth + 1)
        return Unary(token.text, inner)

    def _braced(self, depth: int) -> Node:
        token = self._next()
        if token is not None and token.kind == "open":
            self.at += 1
            return self._closed(depth, "close")
        if token is not None and token.kind == "number" and len(token.text) == 2:
            # "\frac12": two digits without braces.
            raise NotReadError("two digits")
        return self._operand(depth + 1)

    def _behind(self, node: Node) -> Node:
        """Return the operand with what stands behind it: per cent, factorial, a unit in words."""
        token = self._next()
        if token is not None and token.kind == "percent":
            self.at += 1
            return self._behind(Unary("percent", node))
        if token is not None and token.kind == "bang" and self._is_factorial(token):
            self.at += 1
            return self._behind(Unary("factorial", node))
        words = self._words()
        if words:
            if isinstance(node, Number) and node.unit == 1 and 1900 <= node.value <= 2100:
                # "2022 revenue": the year is part of a name.
                self.is_loose = True
            self.units += [found.text for found in words]
            self.at += len(words)
        return node

    def _is_factorial(self, token: Token) -> bool:
        """Return whether a mark of exclamation counts: it ends no sentence."""
        after = self._next(1)
        touches = self.tokens[self.at - 1].end == token.start
        return touches and after is not None and after.kind in {"op", "close", "open", "number"}

    def _is_unit(self, token: Token, ahead: int) -> bool:
        """Return whether a token is a word, or a letter apart from its figure: "20 m"."""
        before = self.tokens[self.at + ahead - 1]
        apart = before.kind == "number" and before.end < token.start
        return token.kind == "word" or (apart and token.kind == "name" and token.text in _LETTERS)

    def _words(self) -> list[Token]:
        """Return the words that come next, where the expression goes on or ends behind them."""
        found: list[Token] = []
        while (token := self._next(len(found))) is not None and self._is_unit(token, len(found)):
            found.append(token)
            if len(found) > MOST_UNIT_WORDS:
                return []
        token = self._next(len(found))
        if token is None or token.kind in {"op", "close", "percent"}:
            return found
        return []


def lone_number(node: Node) -> tuple[Fraction, bool] | None:
    """Return one unit of the last digit of a lone figure and whether it is a percentage, or None.

    Signs before it count as part of it.
    """
    if isinstance(node, Number):
        return node.unit, False
    if isinstance(node, Unary) and node.sign in {"-", "+", "percent"}:
        inner = lone_number(node.inner)
        if inner is None:
            return None
        if node.sign == "percent":
            return inner[0] / 100, True
        return inner
    return None
