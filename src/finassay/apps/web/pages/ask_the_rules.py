"""Ask the rules: passages of documents, and an answer that cites them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from finassay.apps.web.background import RulesOf
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.outcomes import placeless
from finassay.apps.web.people import limited
from finassay.apps.web.rendering import render
from finassay.errors import MissingExtraError, RetrievalError, RunError, UsageError
from finassay.integrations.rules_desk import (
    LONGEST_QUESTION,
    MOST_PASSAGES,
    RulesAnswer,
    RulesQuestion,
    search_mode,
)
from finassay.retrieval.records import SEARCH_MODES

router = APIRouter()

PER_MINUTE = 20
"""Questions that one person, or one address, may ask in a minute."""

take_turn = limited("rag", per_minute=PER_MINUTE)

TROUBLES = {
    "nothing_found": "Nothing was found. Fewer filters, other words or the mode lexical may help.",
    "no_answer": "No sentence of the passages answers the question; the passages stand below.",
    "cites_no_passage": "The answer cites no passage: do not rely on it.",
    "cites_unknown_passage": "The answer cites a passage that it was not given: do not rely on it.",
}

Text = Annotated[str, Query(max_length=LONGEST_QUESTION)]
Name = Annotated[str, Query(max_length=100)]
Day = Annotated[str, Query(max_length=10, description="YYYY-MM-DD, or empty.")]
Count = Annotated[int, Query(ge=1, le=MOST_PASSAGES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The fields of the form, as they were typed."""

    q: str
    regulator: str
    since: str
    until: str
    on: str
    mode: str
    k: int

    def question(self) -> RulesQuestion:
        """Return the question that the fields ask.

        Raises:
            UsageError: a field has a value that it cannot have.
        """
        name = self.regulator.strip()
        return RulesQuestion(
            text=self.q.strip(),
            k=self.k,
            mode=search_mode(self.mode),
            regulators=(name,) if name else (),
            since=day_of("since", self.since),
            until=day_of("until", self.until),
            in_force_on=day_of("in force on", self.on),
        )


def typed(
    q: Text = "",
    regulator: Name = "",
    since: Day = "",
    until: Day = "",
    on: Day = "",
    mode: Name = "hybrid",
    k: Count = 5,
) -> Typed:
    """Return the fields of the form."""
    return Typed(q=q, regulator=regulator, since=since, until=until, on=on, mode=mode, k=k)


@router.get("/ask-the-rules", response_class=HTMLResponse)
async def ask_the_rules(
    request: Request, desk: DeskOf, rules: RulesOf, asked: Annotated[Typed, Depends(typed)]
) -> HTMLResponse:
    """Show the form, and where a question is asked its answer and passages."""
    found: RulesAnswer | None = None
    problem = ""
    if asked.q.strip() and rules.path is not None:
        # Turns are counted where the store may be asked who is logged in: not on the event loop.
        await run_in_threadpool(take_turn, request)
        try:
            found = await run_in_threadpool(rules.answer, asked.question())
        except (UsageError, RetrievalError, MissingExtraError, RunError) as error:
            problem = placeless(desk, error)
    return render(
        request,
        "ask_the_rules.html.j2",
        title="Ask the rules",
        has_index=rules.path is not None,
        model=rules.model,
        holdings=rules.holdings(),
        found=found,
        problem=problem,
        troubles=TROUBLES,
        modes=SEARCH_MODES,
        asked=asked,
        most=MOST_PASSAGES,
        longest=LONGEST_QUESTION,
        hides_text=desk.settings.no_text,
    )


def day_of(field: str, text: str) -> dt.date | None:
    """Return a date of a form; None for an empty field.

    Raises:
        UsageError: it is no date.
    """
    if not text.strip():
        return None
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError as error:
        raise UsageError(f"`{field}` must be a date as 2024-09-30, got {text!r}") from error
