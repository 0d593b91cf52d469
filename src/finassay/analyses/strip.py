"""The verdict strip.  In: the parts of an audit.  Out: up to five sentences one may quote."""

from __future__ import annotations

from itertools import combinations

from finassay.analyses.parts import Parts
from finassay.analyses.results_audit import Claim, Section
from finassay.analyses.results_rules import RegimeComparison
from finassay.analyses.results_scores import Leaderboard
from finassay.analyses.wording import count, percent, plural, score_text, some

MOST_CLAIMS = 5


def verdict_strip(parts: Parts) -> tuple[Claim, ...]:
    """Return up to five sentences that state what was measured and no more."""
    claims = [
        _leader(parts.leaderboard),
        _order(parts),
        _mover(parts.regimes),
        _spread(parts),
        _provenance(parts),
        _evidence(parts),
        _unscored(parts.leaderboard),
    ]
    return tuple([claim for claim in claims if claim is not None][:MOST_CLAIMS])


def _leader(board: Leaderboard) -> Claim:
    ranked = board.ranked
    if not board.rows:
        text = f"Under {board.rule} there are verdicts on people only, so no system is ranked."
        return Claim(text=text, link="leaderboard")
    if not ranked:
        lacks = f"has a verdict on all {plural(board.n_items, 'item')}"
        if any(row.complete for row in board.rows):
            lacks = f"{lacks} of which one counts"
        text = f"Under {board.rule} no system {lacks}, so none is ranked."
        return Claim(text=text, link="leaderboard")
    first = [row for row in ranked if row.ranks is not None and row.ranks.competition == 1]
    lead = some([row.system for row in first])
    verb = "leads" if len(first) == 1 else "share the lead among"
    basis = " in the worst case" if board.rank_basis == "worst" else ""
    text = (
        f"Under {board.rule}, {lead} {verb} {plural(len(ranked), 'ranked system')}{basis} with "
        f"{score_text(first[0].estimate)}."
    )
    return Claim(text=text, link="leaderboard")


def _order(parts: Parts) -> Claim | None:
    """Return how many pairs of systems stand in one order under everything tried."""
    regimes = parts.regimes
    if regimes is not None and len(regimes.systems) >= 2:
        columns = [{row.system: row.score for row in r.scores} for r in regimes.regimes]
        return _pairs(columns, "regimes", "regimes")
    boards = [parts.leaderboard, *parts.others]
    full = [_rank_column(board) for board in boards]
    columns = [column for column in full if set(column) == set(full[0])]
    if len(columns) < 2 or len(full[0]) < 2:
        return None
    return _pairs(columns, "rules", "leaderboard")


def _rank_column(board: Leaderboard) -> dict[str, float]:
    """Return minus the competition rank of every ranked system, so that more is better."""
    ranked = [(row.system, row.ranks) for row in board.rows]
    return {name: -float(ranks.competition) for name, ranks in ranked if ranks is not None}


def _pairs(columns: list[dict[str, float]], noun: str, link: Section) -> Claim:
    pairs = list(combinations(columns[0], 2))
    fixed = sum(
        len({(column[a] > column[b]) - (column[a] < column[b]) for column in columns}) == 1
        for a, b in pairs
    )
    rest = len(pairs) - fixed
    tail = f"; the order of the other {rest} depends on the {noun[:-1]}" if rest else ""
    text = (
        f"Of the {plural(len(pairs), 'pair')} of the {len(columns[0])} systems that all "
        f"{len(columns)} {noun} mark, {fixed} {'stands' if fixed == 1 else 'stand'} in the same "
        f"order under all of them{tail}."
    )
    return Claim(text=text, link=link)


def _mover(regimes: RegimeComparison | None) -> Claim | None:
    """Return the system that moves most between two regimes, under the convention shown."""
    if regimes is None:
        return None
    shifts = [s for s in regimes.shifts if s.convention == regimes.rank_convention and s.shift]
    if not shifts:
        return None
    top = max(shifts, key=lambda s: abs(s.shift))
    start = _rank_text(regimes, top.left, top.rank_left)
    end = _rank_text(regimes, top.right, top.rank_right)
    text = (
        f"{top.system} moves from {start} under {top.left} to {end} under {top.right} of "
        f"{len(regimes.systems)} systems ({regimes.rank_convention} ranks), over the same "
        f"predictions."
    )
    return Claim(text=text, link="regimes")


def _rank_text(regimes: RegimeComparison, name: str, rank: float) -> str:
    """Return a rank in words, and whether other systems share it."""
    found = next(regime for regime in regimes.regimes if regime.regime == name)
    convention = regimes.rank_convention
    here = sum(getattr(score.ranks, convention) == rank for score in found.scores)
    return f"a shared rank {rank:g}" if here > 1 else f"rank {rank:g}"


def _provenance(parts: Parts) -> Claim | None:
    agreement = parts.agreement
    if agreement is None or not agreement.outliers:
        return None
    noun = "system's" if len(agreement.outliers) == 1 else "systems'"
    text = (
        f"{len(agreement.outliers)} {noun} stored verdicts follow another rule than the rest: "
        f"{some(agreement.outliers)}."
    )
    return Claim(text=text, link="agreement")


def _spread(parts: Parts) -> Claim | None:
    """Return the system whose accuracy the choice of rule moves most, where there are no regimes.

    With regimes, `_mover` says it in ranks, of the rules that somebody would publish.
    """
    if parts.regimes is not None:
        return None
    scores: dict[str, dict[str, float]] = {}
    for board in (parts.leaderboard, *parts.others):
        for row in board.ranked:
            if row.estimate.value is not None:
                scores.setdefault(row.system, {})[board.rule] = row.estimate.value
    spans = {name: max(s.values()) - min(s.values()) for name, s in scores.items()}
    spans = {name: span for name, span in spans.items() if span > 0}
    if not spans:
        return None
    name = max(spans, key=spans.__getitem__)
    by_rule, n = scores[name], parts.leaderboard.n_items
    low, high = min(by_rule, key=by_rule.__getitem__), max(by_rule, key=by_rule.__getitem__)
    text = (
        f"The same answers of {name} score {percent(by_rule[low], n)}% under {low} and "
        f"{percent(by_rule[high], n)}% under {high}."
    )
    return Claim(text=text, link="leaderboard")


def _evidence(parts: Parts) -> Claim | None:
    coverage = parts.coverage
    if coverage is None or not coverage.zero_information:
        return None
    none = len(coverage.zero_information)
    text = (
        f"{count(none)} of {plural(coverage.n_items, 'item')} "
        f"({percent(none / coverage.n_items, coverage.n_items)}%) separate no pair of the "
        f"{len(coverage.systems)} complete systems under {coverage.rule}."
    )
    return Claim(text=text, link="coverage")


def _unscored(board: Leaderboard) -> Claim | None:
    silent = sum(row.estimate.n_unscored for row in board.rows)
    if not silent:
        return None
    cells = sum(board.n_items - row.estimate.n_missing for row in board.rows)
    policy = {
        "wrong": "counted as wrong",
        "exclude": "left out",
        "bounds": "counted both ways",
    }[board.policy]
    text = (
        f"Of {plural(cells, 'verdict')} of {board.rule}, {count(silent)} hold no answer, and they "
        f"are {policy}."
    )
    return Claim(text=text, link="leaderboard")
