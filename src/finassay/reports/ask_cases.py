"""Case cards.  In: outcomes at states.  Out: a page that shows what was visible, hidden and said.

Everything in a card came from outside: the template escapes all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from finassay.analyses.results_ask import AskReport
from finassay.benchmarks.ask.prompts import DOMAIN, TRAJECTORY
from finassay.benchmarks.ask.states import ASK
from finassay.marking.ask_outcomes import AskOutcomes, StateOutcome
from finassay.records import Item
from finassay.reports import numbers as num
from finassay.reports.html import template_text

PAGE_SIZE = 8
"""Cards of one page of the web application."""

MOST_REPLIES = 12
"""Replies that a card shows, by ERA of the system; the study holds them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReply:
    """One reply on a card."""

    system: str
    text: str
    action: str
    outcome: str
    reason: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One state: what was visible, what was hidden, and what systems said."""

    state: str
    trajectory: str
    domain: str
    language: str
    context: str
    recorded: str
    needs: tuple[str, ...]
    replies: tuple[ShownReply, ...]
    n_more: int


def cards(found: AskOutcomes, systems: Sequence[str]) -> tuple[Card, ...]:
    """Return one card for each state, sorted by id.

    Args:
        found: outcomes of a study.
        systems: whose replies are shown, in this order, at most `MOST_REPLIES`.
    """
    by_state = {(system, one.item_id): one for system in systems for one in found.outcomes[system]}
    made = []
    for item in found.states:
        told = [(s, by_state[s, item.item_id]) for s in systems if (s, item.item_id) in by_state]
        strata = dict(item.strata)
        made.append(
            Card(
                state=item.item_id,
                trajectory=strata.get(TRAJECTORY, ""),
                domain=strata.get(DOMAIN, "").replace("_", " "),
                language=item.language,
                context=item.context,
                recorded=item.reference or "",
                needs=item.alternatives,
                replies=tuple(_reply(item, system, one) for system, one in told[:MOST_REPLIES]),
                n_more=max(0, len(told) - MOST_REPLIES),
            )
        )
    return tuple(made)


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """Some of the cards, in the order of trajectories.

    Attributes:
        cards: of this page.
        page: its number, from 1.
        pages: how many there are, at least 1.
    """

    cards: tuple[Card, ...]
    page: int
    pages: int


def page_of_cases(
    found: AskOutcomes, report: AskReport, page: int, *, size: int = PAGE_SIZE
) -> CasePage:
    """Return one page of cards; the last one where there are fewer.

    Args:
        found: outcomes of a study.
        report: the report on them, whose systems are shown in its order.
        page: its number, from 1.
        size: cards of a page.
    """
    systems = [row.system for row in report.rows if row.system in found.outcomes]
    ordered = sorted(
        found.states,
        key=lambda item: (dict(item.strata).get(TRAJECTORY, "") or item.item_id, item.item_id),
    )
    pages = max(1, -(-len(ordered) // size))
    at = min(max(1, page), pages)
    wanted = tuple(ordered[(at - 1) * size : at * size])
    return CasePage(cards=cards(replace(found, states=wanted), systems), page=at, pages=pages)


def _reply(item: Item, system: str, one: StateOutcome) -> ShownReply:
    outcome, kind = _outcome(item, one)
    return ShownReply(
        system=num.shortened(system),
        text=one.reply,
        action=one.action or "no reply",
        outcome=outcome,
        reason=one.reason if item.reference == ASK else "",
        kind=kind,
    )


def _outcome(item: Item, one: StateOutcome) -> tuple[str, str]:
    """Return the outcome in words, and the style it is drawn in."""
    if one.action is None:
        return "no reply", "none"
    if one.action != item.reference:
        return f"recorded action missed: {one.action} instead of {item.reference}", "miss"
    return _request_outcome(one) if item.reference == ASK else ("recorded action", "hit")


def _request_outcome(one: StateOutcome) -> tuple[str, str]:
    if one.is_faulty:
        return "asks, but the request earns nothing by its form", "miss"
    if one.alignment is None:
        return "asks; no verdict on the request", "none"
    if one.alignment == 1:
        return "asks; direct, 1", "hit"
    return ("asks; partial, 0.5", "partial") if one.alignment else ("asks; unrelated, 0", "miss")


def cases_page(found: AskOutcomes, report: AskReport) -> str:
    """Return the cards as one self-contained HTML page, states grouped by trajectory."""
    systems = [row.system for row in report.rows if row.system in found.outcomes]
    groups: dict[str, list[Card]] = {}
    for card in cards(found, systems):
        groups.setdefault(card.trajectory or card.state, []).append(card)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    template = environment.from_string(template_text("ask_cases.html.j2"))
    return template.render(
        title=f"Cases of {num.shortened(report.name)}",
        alignment=num.clean(found.alignment),
        groups=groups,
        css=Markup(template_text("report.css") + template_text("ask_cases.css")),  # noqa: S704 - our own style sheets
    )
