"""Questions to the rules.  In: a question.  Out: passages with their places, and an answer."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from finassay.apps.web.background import RulesOf
from finassay.apps.web.desk import DeskOf
from finassay.apps.web.pages.ask_the_rules import take_turn
from finassay.integrations.rules_desk import (
    LONGEST_QUESTION,
    MOST_PASSAGES,
    NO_INDEX,
    RulesAnswer,
    RulesDesk,
    RulesQuestion,
)

router = APIRouter(prefix="/api", tags=["rules"])

Name = Annotated[str, Field(max_length=100)]
Mode = Literal["hybrid", "dense", "lexical"]


class RagQuestion(BaseModel):
    """A question to the index.

    Attributes:
        question: the question, or an identifier.
        k: passages.
        mode: how passages are ranked.
        regulator: only documents that one of these issued.
        since: only what was issued on this day or later.
        until: only what was issued by this day.
        on: only what is in force on this day.
    """

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    k: int = Field(default=5, ge=1, le=MOST_PASSAGES)
    mode: Mode = "hybrid"
    regulator: list[Name] = Field(default_factory=list, max_length=20)
    since: dt.date | None = None
    until: dt.date | None = None
    on: dt.date | None = None


class RagPassage(BaseModel):
    """A passage that was found.

    Attributes:
        number: how the answer cites it, from 1.
        chunk_id: its document and span.
        document: id of the document.
        title: title of the document, "" where not known.
        clause: provision that is open where it starts.
        page: page on which it starts, null for a text without pages.
        start: offset of its first character.
        end: offset behind its last character.
        text: the passage; null where texts are left out.
        score: of the search.
        is_cited: whether the answer cites it.
    """

    number: int
    chunk_id: str
    document: str
    title: str
    clause: str
    page: int | None
    start: int
    end: int
    text: str | None
    score: float
    is_cited: bool


class RagAnswer(BaseModel):
    """An answer with the passages that it was made from.

    Attributes:
        question: what was asked.
        answer: with the numbers of passages in square brackets; null where texts are left out.
        model: the model that worded it; null for sentences of the passages.
        troubles: what is wrong with it, by name.
        passages: what was found, best first.
        index: digest of the index.
    """

    question: str
    answer: str | None
    model: str | None
    troubles: list[str]
    passages: list[RagPassage]
    index: str


@router.post("/rag", dependencies=[Depends(take_turn)])
async def ask_by_body(desk: DeskOf, rules: RulesOf, asked: RagQuestion) -> RagAnswer:
    """Return the answer to a question; 20 a minute."""
    return await _answer(rules, asked, hides_text=desk.settings.no_text)


@router.get("/rag", dependencies=[Depends(take_turn)])
async def ask_by_query(
    desk: DeskOf, rules: RulesOf, asked: Annotated[RagQuestion, Query()]
) -> RagAnswer:
    """Return the answer to a question; 20 a minute."""
    return await _answer(rules, asked, hides_text=desk.settings.no_text)


async def _answer(rules: RulesDesk, asked: RagQuestion, *, hides_text: bool) -> RagAnswer:
    question = RulesQuestion(
        text=asked.question,
        k=asked.k,
        mode=asked.mode,
        regulators=tuple(asked.regulator),
        since=asked.since,
        until=asked.until,
        in_force_on=asked.on,
    )
    if rules.path is None:
        raise HTTPException(status_code=409, detail=NO_INDEX)
    found = await run_in_threadpool(rules.answer, question)
    return _told(found, hides_text=hides_text)


def _told(found: RulesAnswer, *, hides_text: bool) -> RagAnswer:
    answer = found.answer
    return RagAnswer(
        question=answer.question,
        answer=None if hides_text else answer.answer,
        model=answer.model,
        troubles=list(answer.troubles),
        passages=[
            RagPassage(
                number=one.number,
                chunk_id=one.chunk_id,
                document=one.document,
                title=one.title,
                clause=one.clause,
                page=one.page,
                start=one.start,
                end=one.end,
                text=None if hides_text else one.text,
                score=one.score,
                is_cited=one.is_cited,
            )
            for one in answer.passages
        ],
        index=answer.index,
    )
