"""Verdicts of promptfoo.  In: one result.  Out: one verdict for each assertion, and for all.

`failureReason` is 0 (none), 1 (an assertion) or 2 (an error).  `error` also holds the text of a
plain failed assertion, so on its own it says nothing about the model's call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from finassay.records import OTHER_REFERENCE, PERSON_PREFIX, Verdict
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import Mark
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict

TOOL = "promptfoo"
_ERROR = 2
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")

COMPARING = (
    *("equals", "icontains", "contains", "contains-any", "icontains-any"),
    *("contains-all", "icontains-all", "starts-with", "similar", "levenshtein"),
    *("rouge-n", "bleu", "meteor", "gleu", "factuality", "model-graded-factuality"),
)
"""Types of assertion whose value is an accepted answer, or a part of it."""

REFERENCES = ("reference", "expected", "expected_output", "expected_answer", "ideal", "target")
"""Names of variables that hold an accepted answer, where no assertion compares with one."""


def is_failed(result: of.JsonMap) -> bool:
    """Return whether the model's call failed, as against an assertion on its output."""
    reason = of.number(result, "failureReason")
    if reason is not None:
        return reason == _ERROR
    response = of.mapping(result, "response")
    return bool(of.text(response, "error")) or (
        bool(of.text(result, "error")) and response.get("output") is None
    )


def _components(result: of.JsonMap) -> list[of.JsonMap]:
    return [of.mapping(one) for one in of.listed(result, "gradingResult", "componentResults")]


def _rendered(component: of.JsonMap) -> object:
    """Return the value of an assertion with its variables filled in."""
    done = of.inner(component, "metadata", "renderedAssertionValue")
    return of.inner(component, "assertion", "value") if done is None else done


def _references(result: of.JsonMap) -> Iterator[tuple[str, ...]]:
    """Yield the accepted answers of each comparing assertion.

    A result of a failed call holds the assertions of the test only, with their variables open.
    """
    said = [
        (of.text(one, "assertion", "type"), _texts(_rendered(one))) for one in _components(result)
    ]
    if not said:
        values = _values(result)
        said = [
            (of.text(one, "type"), tuple(_filled(part, values) for part in _texts(value)))
            for one in of.listed(result, "testCase", "assert")
            if (value := of.inner(one, "value")) is not None
        ]
    for kind, texts in said:
        if kind in COMPARING and texts and all(texts):
            yield texts


def _values(result: of.JsonMap) -> of.JsonMap:
    return of.mapping(result, "vars") or of.mapping(result, "testCase", "vars")


def _texts(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else [value]
    return tuple(of.written(part) for part in parts if part not in (None, ""))


def _filled(template: str, values: of.JsonMap) -> str:
    """Return a template with its variables filled in, "" where it holds more than variables."""
    filled = _VARIABLE.sub(lambda found: of.written(values.get(found[1])), template)
    return "" if "{{" in filled or "{%" in filled else filled


def reference_of(result: of.JsonMap) -> tuple[str | None, tuple[str, ...]]:
    """Return the accepted answer of a test and its alternatives; None where it names none.

    It is the value of the first assertion that compares with one, else a variable that is named
    after what it is.
    """
    for texts in _references(result):
        return texts[0], texts[1:]
    values = _values(result)
    for name in REFERENCES:
        if of.text(values, name).strip():
            return of.text(values, name), ()
    return None, ()


def logged_marks(result: of.JsonMap) -> tuple[Mark, ...]:
    """Return the verdicts of all assertions, and those on the test as a whole."""
    return (*_assertions(result), *_whole(result))


def _assertions(result: of.JsonMap) -> Iterator[Mark]:
    seen: Counter[str] = Counter()
    accepted = reference_of(result)
    for component in _components(result):
        kind = of.text(component, "assertion", "type")
        if not kind:
            continue
        label = of.text(component, "assertion", "metric")
        scorer = tool_scorer(TOOL, kind, label)
        if kind == "human":
            scorer = f"{PERSON_PREFIX}{TOOL}"
        seen[scorer] += 1
        if seen[scorer] > 1:
            scorer = f"{scorer} #{seen[scorer]}"
        verdict = _verdict(component, result)
        if kind.removeprefix("not-") in COMPARING and _compared(component) != accepted:
            verdict = _flagged(verdict)
        yield Mark(scorer, verdict)


def _compared(component: of.JsonMap) -> tuple[str | None, tuple[str, ...]]:
    texts = _texts(_rendered(component))
    return (texts[0], texts[1:]) if texts else (None, ())


def _flagged(verdict: Verdict) -> Verdict:
    return Verdict(
        status=verdict.status,
        value=verdict.value,
        label=verdict.label,
        extracted=verdict.extracted,
        flags=(*verdict.flags, OTHER_REFERENCE),
        reason=verdict.reason,
    )


def _verdict(component: of.JsonMap, result: of.JsonMap) -> Verdict:
    reason = of.text(component, "reason")
    if of.text(component, "assertion", "type") == "human":
        reason = of.text(result, "gradingResult", "comment") or reason
    if of.inner(component, "metadata", "graderError") is True:
        return Verdict(status="unparsed", reason=reason or "the grader's reply could not be read")
    if "score" not in component and isinstance(component.get("pass"), bool):
        return tool_verdict(component["pass"], reason=reason)
    # A score of null stands for NaN: the function that should have scored did not.
    unscored = f"the score is null: {reason}" if reason else "the score is null"
    return tool_verdict(component.get("score"), reason=reason, unscored=unscored)


def _whole(result: of.JsonMap) -> Iterator[Mark]:
    said = of.text(result, "error") or of.text(result, "gradingResult", "reason")
    if is_failed(result):
        failed = Verdict(status="failed", reason=said or "the model's call failed")
        yield Mark(tool_scorer(TOOL, "success"), failed)
        return
    if isinstance(result.get("success"), bool):
        yield Mark(tool_scorer(TOOL, "success"), tool_verdict(result["success"], reason=said))
    if "score" in result:
        score = tool_verdict(result["score"], unscored=f"the score is null: {said}")
        yield Mark(tool_scorer(TOOL, "score"), score)
