"""Frozen results of parity.  In: nothing.  Out: a tool's verdicts beside ours, and both scores."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.records import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityDifference:
    """One answer on which a tool and our rule of the same name do not say the same.

    Attributes:
        item_id: the item.
        system: display name.
        trial: the trial.
        tool_value: what the tool said, in [0, 1]; None where it did not score the answer.
        tool_status: status of the tool's verdict.
        value: what our rule says; None where it does not score the answer.
        status: status of our verdict.
        text_digest: digest of the reply.
        read_digest: digest of the text that our rule read: the reply, or the tool's extraction.
        reference_digest: digest of the item's reference.
    """

    item_id: str
    system: str
    trial: int
    tool_value: float | None
    tool_status: Status
    value: float | None
    status: Status
    text_digest: str
    read_digest: str
    reference_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleParity:
    """How far our re-implementation of a tool's rule says what the tool said.

    Attributes:
        scorer: scorer id of the tool's verdicts.
        rule: scorer id of ours.
        reads: what ours was given: "reply", or "extracted" for the tool's own extraction.
        n: verdicts of the tool that were looked at.
        both_scored: answers that both score.
        tool_only: answers that only the tool scores.
        ours_only: answers that only our rule scores.
        neither: answers that neither scores.
        agree: of those that both score, how many have the same value (within 1e-6).
        share: agree / both_scored; None where nothing is scored by both.
        kappa: Cohen's kappa of right and wrong; None where it is undefined.
        other_reference: verdicts left out, because the tool compared with another text than the
            item's reference.
        unmarked: verdicts left out, because the item or the reply is missing or redacted.
        n_differing: answers on which the values differ, or that only one of the two scores.
        differing: the first of these, by system, item and trial.
        note: where the two rules are known to differ.
    """

    scorer: str
    rule: str
    reads: str
    n: int
    both_scored: int
    tool_only: int
    ours_only: int
    neither: int
    agree: int
    share: float | None
    kappa: float | None
    other_reference: int
    unmarked: int
    n_differing: int
    differing: tuple[ParityDifference, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedScore:
    """An aggregate that the tool itself printed: its value, digits, items, and where it stood.

    `value` is a fraction where `unit` is "fraction", and else in the tool's own scale.
    """

    value: float
    printed: str
    unit: str
    n: int | None
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnscoredConventions:
    """One score of a tool under both conventions for what it left unscored.

    Attributes:
        scorer: scorer id of the tool's verdicts.
        system: display name.
        benchmark: the benchmark of the items.
        n: verdicts.
        scored: verdicts with a value.
        unscored: verdicts without one.
        reasons: (status, verdicts) of those.
        total: sum of the values.
        excluded: total / scored; None where nothing is scored.
        wrong: total / n; None without verdicts.
        printed: what the tool itself printed for this score.
    """

    scorer: str
    system: str
    benchmark: str
    n: int
    scored: int
    unscored: int
    reasons: tuple[tuple[str, int], ...]
    total: float
    excluded: float | None
    wrong: float | None
    printed: tuple[PrintedScore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parity:
    """What the tools' own verdicts in a study say beside ours.

    Attributes:
        rules: one entry for each scorer of a tool of which we have the rule.
        without_rule: scorers of tools of which we have none.
        conventions: one entry for each scorer, system and benchmark.
        method: what was compared with what.
        warnings: what a reader must know.
    """

    rules: tuple[RuleParity, ...]
    without_rule: tuple[str, ...]
    conventions: tuple[UnscoredConventions, ...]
    method: str
    warnings: tuple[str, ...] = ()
