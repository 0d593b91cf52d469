"""Quantities under construction.  In: a numeral in a folded text.  Out: a draft of a quantity."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from finassay.text.before import plain_word_before
from finassay.text.beside import After, after, currency_before, sign_before
from finassay.text.comparators import LAST_WORDS, Comparator, comparator_after, comparator_before
from finassay.text.folding import Folded
from finassay.text.no_quantity import is_label, is_label_by_itself, ratio_parts
from finassay.text.numerals import ONE, Numeral
from finassay.text.units import Kind


@dataclass(slots=True)
class Draft:
    """A quantity under construction, in positions of the folded text.

    Attributes:
        numeral: the bare figure.
        start: where the figure starts with its sign and currency.
        end: where it ends with its scale and unit.
        value: value with sign and scale.
        step: one unit of the last digit, scaled.
        kind: what it measures.
        unit: currency, unit of time or "x".
        scale: factor applied.
        high: upper end of a range.
        comparator: bound or approximation beside it.
        currency: whether a currency stands before it.
        bracket: whether brackets around it make it negative.
    """

    numeral: Numeral
    start: int
    end: int
    value: Decimal
    step: Decimal
    kind: Kind = "plain"
    unit: str = ""
    scale: Decimal = ONE
    high: Decimal | None = None
    comparator: Comparator = "none"
    currency: bool = False
    bracket: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether it is a whole number in digits with nothing around it."""
        return self.numeral.bare and self.kind == "plain" and self.scale == 1

    @property
    def is_bare_year(self) -> bool:
        """Whether it is a bare four-digit number from 1900 to 2100."""
        if not self.is_bare or self.numeral.end - self.numeral.start != 4:
            return False
        return 1900 <= self.value <= 2100


def draft(folded: Folded, numeral: Numeral) -> Draft | None:
    """Return the draft of a quantity around a numeral; None if the figure is a name."""
    text, end = folded.text, numeral.end
    mark = text[end : end + 1]
    if mark == ":" or (text[end + 1 : end + 2] == ":" and mark in _GAPS):
        parts = ratio_parts(folded, numeral)
        if parts:
            return _ratio(folded, numeral, parts)
    if not numeral.words and numeral.start > 1:
        money = text[numeral.start - 1] == "$"
        start = numeral.start - 1 if money else numeral.start
        word = plain_word_before(folded.low, start)
        if word:
            return _simple(folded, numeral, start, bounds=word in LAST_WORDS)
    return _touched(folded, numeral)


_GAPS = (" ", "\xa0")


def _simple(folded: Folded, numeral: Numeral, start: int, *, bounds: bool) -> Draft | None:
    """Return the draft of "5" or "$5" after a word that names no figure, but may bound one."""
    money = start < numeral.start
    behind, plus = _behind(folded, numeral, money=money)
    if behind.glued or (not money and is_label_by_itself(folded, numeral, behind)):
        return None
    made = Draft(numeral, start, behind.end, numeral.value, numeral.step, high=numeral.high)
    if money or numeral.percent or behind.unit is not None or behind.scale != 1:
        measure(made, "USD" if money else None, behind)
    _suffixed(folded, made)
    if plus or bounds:
        _compare(folded, made, plus=plus)
    else:
        made.comparator = comparator_after(folded.low, made.end)
    return made


def _touched(folded: Folded, numeral: Numeral) -> Draft | None:
    """Return the draft of a quantity with whatever may stand before it."""
    negative, start = sign_before(folded, numeral.start)
    code, start = currency_before(folded, start)
    if code is not None and not negative:
        negative, start = sign_before(folded, start)
    behind, plus = _behind(folded, numeral, money=code is not None)
    if behind.glued or is_label(folded, numeral, behind, money=code is not None):
        return None
    made = Draft(numeral, start, behind.end, numeral.value, numeral.step, high=numeral.high)
    measure(made, code, behind)
    if negative:
        made.value = -made.value
    if start and folded.text[start - 1] == "(" and not numeral.words:
        _bracketed(folded, made)
    _suffixed(folded, made)
    _compare(folded, made, plus=plus)
    return made


def _suffixed(folded: Folded, made: Draft) -> None:
    """Take in the "/-" after an amount of rupees."""
    if folded.text.startswith("/-", made.end):
        made.end += 2
        if made.kind == "plain":
            made.kind, made.unit = "money", "INR"


def _behind(folded: Folded, numeral: Numeral, *, money: bool) -> tuple[After, bool]:
    """Return what follows a figure, and whether a plus stands between ("10+ years")."""
    if folded.text.startswith("+", numeral.end):
        behind = after(folded, numeral, numeral.end + 1, money=money)
        if not behind.glued and behind.end > numeral.end + 1:
            return behind, True
        return After(numeral.end), False
    return after(folded, numeral, numeral.end, money=money), False


def _ratio(folded: Folded, numeral: Numeral, parts: re.Match[str]) -> Draft | None:
    """Return "3:1" as the ratio 3."""
    under = Decimal(parts[1])
    if not under or numeral.value > 10**9:
        return None
    value = numeral.value / under
    made = Draft(numeral, numeral.start, parts.end(), value, Decimal(0), kind="ratio", unit="x")
    _compare(folded, made)
    return made


def measure(made: Draft, code: str | None, behind: After) -> None:
    """Give a draft the scale, kind and unit that stand beside its figure."""
    unit = behind.unit
    if behind.scale != 1:
        _scale(made, behind.scale)
    if unit is not None and (code is None or unit.kind == "money"):
        made.kind, made.unit = unit.kind, unit.name
        if unit.factor != 1:
            _scale(made, unit.factor)
    if code is not None:
        made.currency = True
        # "HK$5 dollars" are Hong Kong dollars; "$5 HKD" are too.
        if made.kind != "money" or (code != "USD" and made.unit == "USD"):
            made.kind, made.unit = "money", code
    if made.numeral.percent and made.kind == "plain":
        made.kind = "percent"


def _scale(made: Draft, factor: Decimal) -> None:
    made.scale *= factor
    made.value *= factor
    made.step *= factor
    if made.high is not None:
        made.high *= factor


_WITHIN = ("within ", "within a ", "within the ")


def _compare(folded: Folded, made: Draft, *, plus: bool = False) -> None:
    if plus:
        made.comparator = "at_least"
        return
    made.comparator = comparator_before(folded.low, made.start)
    if made.kind == "duration":
        # "Over three years" is as often a period as a bound.
        if made.comparator == "more_than" and folded.low.endswith("over ", 0, made.start):
            made.comparator = "none"
    elif made.comparator == "at_most" and folded.low.endswith(_WITHIN, 0, made.start):
        made.comparator = "none"
    if made.comparator == "none":
        made.comparator = comparator_after(folded.low, made.end)


# Words and marks after which a bracket around a figure is an accountant's minus sign.
_COPULA = re.compile(
    r"(?:\b(?:was|is|are|were|of|to|at|by|be|equals?|loss|deficit|approximately|about)|[=:|≈$])"
    r"[ \xa0]*\Z"
)
_ROW = re.compile(r"[\d)%|,\t][ \xa0\t]*\Z")
_CLOSES = re.compile(r"[ \xa0]?\)(?![ \xa0]?[\^*×])")


def _bracketed(folded: Folded, made: Draft) -> None:
    """Read "(1,234)" as negative where accountants write so, and take the brackets in."""
    text = folded.text
    close = _CLOSES.match(text, made.end)
    if close is None:
        return
    opens = made.start - 1
    code, outer = currency_before(folded, opens)
    glued = code is not None and made.scale == 1 and made.kind == "plain"
    if not (glued or _is_accounting(folded, made, opens)):
        return
    made.value = -abs(made.value)
    made.start, made.end, made.bracket = opens, close.end(), True
    if glued and code is not None:
        made.start, made.currency = outer, True
        made.kind, made.unit = "money", code
    if made.scale == 1 and made.kind in ("plain", "money"):
        extend(folded, made)


def extend(folded: Folded, made: Draft) -> None:
    """Take in scale and unit after the end of a draft, as in "(1,234) million"."""
    behind = after(folded, made.numeral, made.end, money=made.currency)
    if not behind.glued:
        measure(made, made.unit if made.currency else None, behind)
        made.end = behind.end


def _is_accounting(folded: Folded, made: Draft, opens: int) -> bool:
    """Return whether a bracketed figure stands where a negative one would."""
    before = folded.low[max(0, opens - 20) : opens]
    line = before[before.rfind("\n") + 1 :]
    if made.numeral.step == 0 or (made.scale != 1 and not made.currency):
        return False
    shaped = made.currency or not made.numeral.bare or made.kind == "percent"
    if not line.strip(" \xa0*-•"):
        rest = folded.text[made.end + 1 : made.end + 12].split("\n")[0].strip()
        return shaped or (not rest and not made.is_bare_year and made.value >= 10)
    if _COPULA.search(line):
        return shaped or (not made.is_bare_year and made.value >= 10)
    return shaped and made.kind == "plain" and _ROW.search(line) is not None
