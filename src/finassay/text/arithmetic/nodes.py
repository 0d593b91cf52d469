"""Expressions and their exact values.  In: a tree of nodes.  Out: fractions with their spread.

Values are fractions, never floats.  Exponents, factorials and the size of numbers are bounded, so
that no text can make a value grow without end.  A figure written with decimals stands for half a
unit of its last digit either way; a whole number is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial, isqrt
from typing import NamedTuple, TypeAlias

MOST_BITS = 2048
"""Numbers with more bits in numerator or denominator have no value here."""

MOST_POWER = 64
MOST_FACTORIAL = 60
_ROOT_DIGITS = 30
_PI = Fraction(31415926535897932384626433832795, 10**31)


class UnknownValueError(Exception):
    """An expression has no value: a name without one, a division by zero, a number too large."""


@dataclass(frozen=True, slots=True)
class Number:
    """A figure as written; `unit` is one unit of its last digit, 0 for an exact fraction."""

    value: Fraction
    unit: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Name:
    """A letter that stands for a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """A sign, "percent", "sqrt", "abs", "factorial" or "other" before or behind an operand."""

    sign: str
    inner: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and the sign between them, one of + - * / ^ and % (the rest of a division)."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one argument, as f(2)."""

    name: str
    inner: Node


Node: TypeAlias = Number | Name | Unary | Binary | Call


class Value(NamedTuple):
    """A value, and between which ends it lies when figures with decimals are taken as rounded."""

    value: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Known:
    """What names and functions stand for.

    Attributes:
        names: letter -> value.
        functions: letter -> (name of the argument, expression).
    """

    names: Mapping[str, Value] = field(default_factory=dict)
    functions: Mapping[str, tuple[str, Node]] = field(default_factory=dict)


def exact(value: Fraction | int) -> Value:
    """Return a value without spread."""
    given = Fraction(value)
    return Value(given, given, given)


def evaluate(node: Node, known: Known | None = None) -> Value:
    """Return the value of an expression.

    Raises:
        UnknownValueError: it has none that can be told.
    """
    return _value(node, known or Known(), 0)


def _value(node: Node, known: Known, depth: int) -> Value:
    if isinstance(node, (Number, Name)):
        return _leaf(node, known)
    if isinstance(node, Unary):
        return _unary(node, known, depth)
    if isinstance(node, Call):
        return _call(node, known, depth)
    if node.sign in "+-" and _adds_share(node):
        # "100 + 10%" takes the percentage of what stands before it.
        base, share = _value(node.left, known, depth), _value(node.right, known, depth)
        change = share if node.sign == "+" else _combined(exact(0), share, lambda a, b: a - b)
        return _small(_combined(base, change, lambda a, b: a * (1 + b)))
    left, right = _value(node.left, known, depth), _value(node.right, known, depth)
    return _small(_OPERATIONS[node.sign](left, right))


def _leaf(node: Number | Name, known: Known) -> Value:
    if isinstance(node, Number):
        # A whole number counts; what is written with decimals was rounded by somebody.
        spread = node.unit / 2 if node.unit.denominator > 1 else Fraction(0)
        return Value(node.value, node.value - spread, node.value + spread)
    if node.name == "π":
        return exact(_PI)
    if node.name not in known.names:
        raise UnknownValueError(node.name)
    return known.names[node.name]


def _adds_share(node: Binary) -> bool:
    right = node.right
    return isinstance(right, Unary) and right.sign == "percent" and not holds_percent(node.left)


def holds_percent(node: Node) -> bool:
    """Return whether a sign of per cent stands anywhere in an expression."""
    if isinstance(node, Unary):
        return node.sign == "percent" or holds_percent(node.inner)
    if isinstance(node, Binary):
        return holds_percent(node.left) or holds_percent(node.right)
    return isinstance(node, Call) and holds_percent(node.inner)


def holds_scale(node: Node) -> bool:
    """Return whether a figure with a scale word, such as "5 million", stands in an expression."""
    if isinstance(node, Number):
        return node.unit > 1
    if isinstance(node, Binary):
        return holds_scale(node.left) or holds_scale(node.right)
    return isinstance(node, (Unary, Call)) and holds_scale(node.inner)


def names_of(node: Node) -> frozenset[str]:
    """Return the letters in an expression that need a value, those of functions left out."""
    if isinstance(node, Name):
        return frozenset() if node.name == "π" else frozenset({node.name})
    if isinstance(node, Binary):
        return names_of(node.left) | names_of(node.right)
    if isinstance(node, (Unary, Call)):
        return names_of(node.inner)
    return frozenset()


def calls_of(node: Node) -> frozenset[str]:
    """Return the names of the functions that an expression calls."""
    if isinstance(node, Call):
        return frozenset({node.name}) | calls_of(node.inner)
    if isinstance(node, Binary):
        return calls_of(node.left) | calls_of(node.right)
    return calls_of(node.inner) if isinstance(node, Unary) else frozenset()


def has_operation(node: Node) -> bool:
    """Return whether an expression computes something: it is no lone figure, sign and % apart."""
    if isinstance(node, Unary):
        return node.sign not in {"-", "+", "percent"} or has_operation(node.inner)
    return isinstance(node, (Binary, Call))


def only_adds(node: Node) -> bool:
    """Return whether an expression is a sum or difference of figures."""
    if isinstance(node, Unary):
        return node.sign in {"-", "+", "percent"} and only_adds(node.inner)
    if isinstance(node, Binary):
        return node.sign in "+-" and only_adds(node.left) and only_adds(node.right)
    return isinstance(node, Number)


def _unary(node: Unary, known: Known, depth: int) -> Value:
    inner = _value(node.inner, known, depth)
    if node.sign == "+":
        return inner
    if node.sign == "-":
        return Value(-inner.value, -inner.high, -inner.low)
    if node.sign == "percent":
        return Value(*(part / 100 for part in inner))
    if node.sign == "abs":
        ends = sorted(abs(part) for part in inner)
        return Value(abs(inner.value), ends[0], ends[-1])
    if node.sign == "sqrt":
        return Value(*(_root(part) for part in inner))
    if node.sign == "factorial":
        if inner.value.denominator > 1 or not 0 <= inner.value <= MOST_FACTORIAL:
            raise UnknownValueError("factorial")
        return exact(factorial(int(inner.value)))
    raise UnknownValueError(node.sign)


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise UnknownValueError("sqrt")
    over, under = isqrt(value.numerator), isqrt(value.denominator)
    if over * over == value.numerator and under * under == value.denominator:
        return Fraction(over, under)
    scale = 10**_ROOT_DIGITS
    return Fraction(isqrt(value.numerator * scale * scale // value.denominator), scale)


def _call(node: Call, known: Known, depth: int) -> Value:
    if node.name not in known.functions or depth >= _MOST_CALLS:
        raise UnknownValueError(node.name)
    argument, body = known.functions[node.name]
    inner = _value(node.inner, known, depth + 1)
    names = {**known.names, argument: inner}
    return _value(body, Known(names, known.functions), depth + 1)


_MOST_CALLS = 4


def _combined(
    left: Value, right: Value, operation: Callable[[Fraction, Fraction], Fraction]
) -> Value:
    value = operation(left.value, right.value)
    if left.low == left.high and right.low == right.high:
        return Value(value, value, value)
    ends = [operation(a, b) for a in left[1:] for b in right[1:]]
    return Value(value, min(*ends, value), max(*ends, value))


def _divided(left: Value, right: Value) -> Value:
    if right.value == 0:
        raise UnknownValueError("/")
    if right.low <= 0 <= right.high:
        right = exact(right.value)
    return _combined(left, right, lambda a, b: a / b)


def _rest(left: Value, right: Value) -> Value:
    if right.value <= 0 or left.value.denominator > 1 or right.value.denominator > 1:
        raise UnknownValueError("%")
    return exact(left.value % right.value)


def _power(left: Value, right: Value) -> Value:
    power = right.value
    if power == Fraction(1, 2):
        return Value(*(_root(part) for part in left))
    if power.denominator > 1 or abs(power) > MOST_POWER or (left.value == 0 and power < 0):
        raise UnknownValueError("^")
    size = max(left.value.numerator.bit_length(), left.value.denominator.bit_length())
    if size * abs(int(power)) > MOST_BITS:
        raise UnknownValueError("^")
    raised = left.value ** int(power)
    if left.low == left.high or left.low <= 0:
        return exact(raised)
    ends = sorted((left.low ** int(power), left.high ** int(power)))
    return Value(raised, ends[0], ends[1])


_OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: _combined(a, b, lambda x, y: x + y),
    "-": lambda a, b: _combined(a, b, lambda x, y: x - y),
    "*": lambda a, b: _combined(a, b, lambda x, y: x * y),
    "/": _divided,
    "%": _rest,
    "^": _power,
}


def _small(value: Value) -> Value:
    for part in value:
        if max(part.numerator.bit_length(), part.denominator.bit_length()) > MOST_BITS:
            raise UnknownValueError("too large")
    return value
