"""Operations on a terminal.  In: a result.  Out: recommendations, sentences, tables as lines."""

from __future__ import annotations

from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.results_ask import AskComparison
from finassay.analyses.operations.sentences import spelled
from finassay.reports import numbers as num
from finassay.reports.plain import joined_lines, wrapped
from finassay.reports.tables_operations import DIGITS, operation_tables

WIDTH = 100


def operation_lines(found: OperationsResult) -> list[str]:
    """Return the result in lines: recommendations, then the tables that fit a terminal."""
    lines = wrapped(head(found), WIDTH)
    for text in (*(row.recommendation.text for row in found.operations), *sentences(found)):
        lines += wrapped(f"* {text}", WIDTH)
    for one in found.findings:
        lines += wrapped(f"! {num.clean(one.title)}: {num.sentence(one.evidence)}", WIDTH)
    made = operation_tables(found)
    keys = ("operation-leaders", "shortlists", "operation-rules", "ask-association")
    lines += ["", *joined_lines(made[key] for key in keys if key in made)]
    lines += [""] if found.warnings else []
    for note in found.warnings:
        lines += wrapped(num.sentence(note), WIDTH)
    return lines


def head(found: OperationsResult) -> str:
    """Return what was compared, in one sentence."""
    how = f"rule {found.rule}, unscored {found.policy}" if found.rule else "printed scores"
    text = (
        f"{num.plural(found.n_operations, 'operation')}, {num.plural(len(found.systems), 'system')}"
        f" ({found.source}; {how}); knowledge score: {found.knowledge}; scores are "
        f"{found.unit}"
    )
    if found.evaluators:
        text += f"; left out where it judged: {num.listed(found.evaluators)}"
    return text


def sentences(found: OperationsResult) -> list[str]:
    """Return what a careful person would quote beyond the recommendations."""
    agreement, gaps = found.agreement, found.profiles
    said = [_shortlists(found)]
    if agreement.mean is not None and agreement.lowest is not None:
        low = agreement.lowest
        said.append(
            f"Operations agree on the order of {agreement.n_systems} systems with a mean Spearman "
            f"correlation of {num.fixed(agreement.mean, DIGITS)} (pairs below "
            f"{agreement.below:g}: {num.share(agreement.n_below, agreement.n_pairs)}; lowest: "
            f"{num.fixed(low.rho or 0.0, DIGITS)}, {spelled(low.left)} and {spelled(low.right)})."
        )
    if gaps.near_median_gap is not None and gaps.median_gap is not None:
        said.append(
            f"{num.plural(gaps.n_near, 'pair')} of systems within {gaps.near:g} points of "
            f"knowledge: the median gap of their profiles is "
            f"{num.fixed(gaps.near_median_gap, 1)} percentile points; over all "
            f"{num.plural(gaps.n_pairs, 'pair')} it is {num.fixed(gaps.median_gap, 1)}."
        )
    return [*said, *([] if found.ask is None else ask_sentences(found.ask))]


def _shortlists(found: OperationsResult) -> str:
    lists = found.shortlists
    leaders = lists.n_distinct_leaders
    return (
        f"The knowledge leader leads {lists.recovered[0]} of {found.n_operations} operations and "
        f"forgoes {num.fixed(lists.mean_regret[0], DIGITS)} points on average; a shortlist has "
        f"every leader from {lists.all_recovered_at} of {len(lists.mean_regret)} systems on. "
        f"{num.plural(leaders, 'system')} {'leads' if leaders == 1 else 'lead'} some operation."
    )


def ask_sentences(ask: AskComparison) -> list[str]:
    """Return what static scores, action agreement and alignment have to do with each other."""
    said = []
    if ask.widest is not None:
        pair = ask.widest
        said.append(
            f"{pair.left} and {pair.right} agree with the recorded actions alike (BAcc differs by "
            f"{num.fixed(pair.bacc, DIGITS)}), and their alignment differs by "
            f"{num.fixed(pair.era, DIGITS)} points: the most of all pairs within {ask.near:g}."
        )
    if ask.median_recall_gap is not None:
        said.append(
            f"{ask.n_ask_above} of {num.plural(ask.n_systems, 'system')} recall more ask than "
            f"proceed states; the median gap is {num.fixed(ask.median_recall_gap, DIGITS)} points, "
            f"and {ask.n_wide} exceed {ask.wide:g}."
        )
    return said
