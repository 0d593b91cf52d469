"""What a server does beside answering.  In: an application.  Out: its queue, and its open index."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, FastAPI, Request

from finassay.apps.web.desk import Desk
from finassay.integrations.rules_desk import RulesDesk
from finassay.marking.submissions.queue import SubmissionQueue


def begin_background(app: FastAPI, desk: Desk) -> None:
    """Open the queue of submissions, with what an earlier server left, and the door to the index.

    Nothing of either is loaded before it is needed.
    """
    index = desk.settings.index
    # Whole, so that a path in a message can be told from the words around it.
    at = None if index is None else index.absolute()
    app.state.rules = RulesDesk(at, desk.settings.model)
    app.state.submissions = SubmissionQueue(desk.study)
    if not desk.settings.is_static and app.state.submissions.has_unfinished():
        app.state.submissions.start()


def end_background(app: FastAPI) -> None:
    """Take no more submissions; one that is under way is taken up by the next server."""
    app.state.submissions.close()


def submissions_of(request: Request) -> SubmissionQueue:
    """Return the queue of the server that got a request."""
    return cast("SubmissionQueue", request.app.state.submissions)


def rules_of(request: Request) -> RulesDesk:
    """Return the open index of the server that got a request."""
    return cast("RulesDesk", request.app.state.rules)


SubmissionsOf = Annotated[SubmissionQueue, Depends(submissions_of)]
RulesOf = Annotated[RulesDesk, Depends(rules_of)]
