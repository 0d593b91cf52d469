"""Every rule tried, as rooms, figures and a report of its own.  In: a multiverse.  Out: parts."""

from __future__ import annotations

from finassay.analyses.multiverse.sentences import Topic, multiverse_sentences, order_sentence
from finassay.analyses.results_multiverse import MultiverseResult, RobustOrder
from finassay.reports import figures_effects, figures_multiverse, figures_order, figures_pairs
from finassay.reports import numbers as num
from finassay.reports.drawings import Figure
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table

FEWEST_RULES = 2

MOST_LINES = 40
"""Lines of a Hasse diagram; an order with more is drawn as a matrix of pairs."""

HASSE_READING = (
    "A system stands above another where lines lead down from it. Systems without a line between "
    "them may stand either way."
)
MATRIX_READING = (
    "Systems by rank under the base rule; a cell is the row against the column. Blue: the row "
    "stays above. Orange: the column does. Grey: the rule decides; the stronger, the more rules "
    "put the row above."
)


def multiverse_figures(found: MultiverseResult, names: dict[str, str]) -> dict[str, Figure]:
    """Return every figure of a multiverse by key."""
    made = [
        curve(found, names),
        ranks(found, names),
        order(found, names),
        effects(found),
        floor(found, names),
    ]
    return {figure.key: figure for figure in made if figure is not None}


def curve(found: MultiverseResult, names: dict[str, str]) -> Figure | None:
    """Return the specification curve; None with fewer than two rules to draw."""
    if len(figures_multiverse.whole_rules(found)) < FEWEST_RULES:
        return None
    first, last = found.ranges[0], found.ranges[-1]
    spans = [
        f"{names[one.system]} scores between {num.percent(one.rule_accuracy.low, 100)}% and "
        f"{num.percent(one.rule_accuracy.high, 100)}%"
        for one in (first, last)
        if one.rule_accuracy.low is not None and one.rule_accuracy.high is not None
    ]
    return Figure(
        key="fig-curve",
        title=f"Accuracy under {num.plural(found.n_rules, 'rule')}, and what each rule decides",
        summary=f"Over the same replies, {num.listed(spans)}, depending on the rule.",
        reading=(
            "Rules run from the strictest to the most lenient, by mean accuracy. Grey: from the "
            f"lowest to the highest system. Blue: {names[first.system]}, first under the base "
            f"rule; orange, dashed: {names[last.system]}, last under it. Below, one line a "
            "choice: the stronger the shade, the more of the "
            "rules above it make that choice."
        ),
        canvas=figures_multiverse.specification_curve(found, names),
        tables=("rule-choices", "choice-means"),
    )


def ranks(found: MultiverseResult, names: dict[str, str]) -> Figure:
    """Return the ranks that the rule, the sample, and both leave open."""
    wide = [
        one
        for one in found.ranges
        if one.rule_rank.low is not None and one.rule_rank.high is not None
    ]
    said = "No system has a rank under every rule."
    if wide:
        far = max(wide, key=lambda one: (one.rule_rank.high or 0) - (one.rule_rank.low or 0))
        near = min(wide, key=lambda one: (one.rule_rank.high or 0) - (one.rule_rank.low or 0))
        said = (
            f"{names[far.system]} may have ranks {num.rank(far.rule_rank.low or 0)} to "
            f"{num.rank(far.rule_rank.high or 0)} by the choice of rule alone, "
            f"{names[near.system]} {num.rank(near.rule_rank.low or 0)} to "
            f"{num.rank(near.rule_rank.high or 0)}."
        )
    level = f"{100 * found.level:g}%"
    return Figure(
        key="fig-rule-ranks",
        title="Ranks that the rule leaves open, that the sample leaves open, and both",
        summary=said,
        reading=(
            f"Circle: rank under the base rule. Blue, thin: under every rule; thick: the central "
            f"{level} of the rules by plausibility. Orange: {level} of resamples of "
            f"{found.resampled} under the base rule. Grey: both together."
        ),
        canvas=figures_multiverse.rank_intervals(found, names),
        tables=("rule-ranges",),
    )


def drawn_order(found: MultiverseResult) -> RobustOrder | None:
    """Return the order to draw: under every rule, or under most where no pair holds under all."""
    return next((one for one in found.orders if one.edges), None)


def order(found: MultiverseResult, names: dict[str, str]) -> Figure | None:
    """Return the Hasse diagram; None where no pair keeps its order even under most rules."""
    drawn = drawn_order(found)
    if drawn is None:
        return None
    if drawn.least_share < 1.0:
        how = "of the plausibility" if found.is_weighted else "of the rules"
        under = f"at least {100 * drawn.least_share:g}% {how}"
    else:
        under = f"all {num.plural(found.n_rules, 'rule')}"
        if "significant" in drawn.name:
            under += ", significantly"
    dense = len(drawn.edges) > MOST_LINES
    return Figure(
        key="fig-order",
        title=f"The order that holds under {under}",
        summary=(
            f"{num.share(drawn.n_held, drawn.n_pairs)} pairs keep their order; the others are "
            "decided by the rule."
        ),
        reading=MATRIX_READING if dense else HASSE_READING,
        canvas=figures_pairs.order_matrix(found, drawn, names)
        if dense
        else figures_order.hasse(drawn, names),
        tables=("rule-pairs",),
    )


def effects(found: MultiverseResult) -> Figure | None:
    """Return what moves the score; None where nothing varies."""
    rows = figures_effects.shown_effects(found)
    if not rows:
        return None
    tops = [
        f"{figures_effects.effect_name(one)} {num.percent(one.accuracy or 0.0, 100)}% of accuracy "
        f"and {num.percent(one.rank or 0.0, 100)}% of rank"
        for one in rows[:3]
    ]
    return Figure(
        key="fig-effects",
        title="What moves the score",
        summary=f"Shares of the variance between rules: {num.listed(tops)}.",
        reading=(
            "Bold: one choice. Two names with × : what the two do together beyond each alone. "
            "Points and ranks lie between the means of the choices."
        ),
        canvas=figures_effects.effects(found),
        tables=("effects",),
    )


def floor(found: MultiverseResult, names: dict[str, str]) -> Figure | None:
    """Return how ranks tighten for rules that agree with people; None without a floor."""
    given = found.floor
    if given is None or given.after is None:
        return None
    return Figure(
        key="fig-floor",
        title="Ranks under all rules, and under those that agree with people",
        summary=(
            f"{num.share(given.n_kept, found.n_rules)} rules agree with {num.clean(given.people)} "
            f"at kappa {given.floor:g} or more; pairs whose order holds: "
            f"{num.count(given.before.n_held)} under all rules, "
            f"{num.count(given.after.n_held)} under these."
        ),
        reading="Grey: every rule. Blue: rules at or above the floor. Circle: base rule.",
        canvas=figures_effects.floor_ranges(found, given, names),
        tables=("floor",),
    )


def rules_parts(found: MultiverseResult, made: dict[str, Table]) -> tuple[Part, ...]:
    """Return the parts on every rule: the curve, open ranks, and the order that holds."""
    return (
        Part(
            anchor="s-multiverse",
            heading="Under every rule tried",
            text=(order_sentence(found),),
            figures=("fig-curve",),
            folded=_folded(
                made, ("What a rule decides", "rule-choices"), ("Means by choice", "choice-means")
            ),
        ),
        Part(
            anchor="multiverse-ranks",
            heading="Ranks that the rule leaves open",
            figures=("fig-rule-ranks",),
            folded=_folded(made, ("Accuracy and rank of each system", "rule-ranges")),
        ),
        Part(
            anchor="multiverse-order",
            heading="The order that holds",
            text=_order_text(found),
            figures=("fig-order",),
            folded=_folded(made, ("Pairs, the most open first", "rule-pairs")),
        ),
    )


def _order_text(found: MultiverseResult) -> tuple[str, ...]:
    every = found.orders[0]
    drawn = drawn_order(found)
    if drawn is None:
        return ("No pair of systems keeps its order, under every rule or under most.",)
    if drawn is not every:
        return ("No pair keeps its order under every rule; drawn is the order under most rules.",)
    return ()


def _folded(made: dict[str, Table], *wanted: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in wanted if pair[1] in made)


def movers_parts(found: MultiverseResult, made: dict[str, Table]) -> tuple[Part, ...]:
    """Return the parts on what moves the score: effects, flips, people, rules that are alike."""
    known = tuple(key for key in ("flips",) if key in made)
    parts = [
        Part(
            anchor="multiverse-effects",
            heading="Which choices matter",
            level=4,
            figures=("fig-effects",),
            folded=_folded(made, ("Shares of variance", "effects")),
        )
    ]
    if known:
        parts.append(
            Part(
                anchor="multiverse-flips",
                heading="The nearest rule that turns an order over",
                level=4,
                tables=known,
            )
        )
    if found.floor is not None:
        parts.append(
            Part(
                anchor="multiverse-floor",
                heading="Rules that agree with people",
                level=4,
                figures=("fig-floor",),
                tables=tuple(key for key in ("floor",) if key in made),
            )
        )
    if "alike" in made:
        parts.append(
            Part(
                anchor="multiverse-alike",
                heading="Rules that are alike on these replies",
                level=4,
                folded=_folded(made, ("The largest groups", "alike")),
            )
        )
    return tuple(parts)


def multiverse_rooms(found: MultiverseResult, made: dict[str, Table]) -> tuple[Room, ...]:
    """Return the rooms of a report that holds nothing but a multiverse."""
    warnings = tuple(num.sentence(warning) for warning in found.warnings)
    methods = Part(
        anchor="methods-main",
        text=(num.sentence(found.method),),
        lists=(("Warnings", warnings),) if warnings else (),
    )
    return (
        Room(anchor="rules", heading="Every rule", parts=rules_parts(found, made)),
        Room(
            anchor="s-effects",
            heading="What moves the score",
            parts=movers_parts(found, made),
        ),
        Room(anchor="methods", heading="Methods", parts=(methods,)),
    )


def multiverse_facts(found: MultiverseResult) -> tuple[tuple[str, str], ...]:
    """Return what was counted."""
    return (
        ("Systems", num.count(len(found.systems))),
        ("Items", num.count(found.n_items)),
        ("Rules", num.count(found.n_rules)),
        ("Different verdicts", num.count(found.n_distinct)),
        ("Choices to make", num.count(len(found.dimensions))),
    )


PLACES: dict[Topic, tuple[str, str]] = {
    "order": ("s-multiverse", "Under every rule tried"),
    "leaders": ("multiverse-ranks", "Ranks that the rule leaves open"),
    "effects": ("s-effects", "What moves the score"),
    "flips": ("multiverse-flips", "The nearest rule"),
    "floor": ("multiverse-floor", "Rules that agree with people"),
}
"""Topic of a sentence -> anchor and name of the part with its evidence."""


def multiverse_claims(found: MultiverseResult) -> tuple[tuple[str, str, str], ...]:
    """Return (sentence, anchor, label) of the verdict strip."""
    return tuple((num.clean(text), *PLACES[topic]) for topic, text in multiverse_sentences(found))
