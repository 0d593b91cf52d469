"""The application.  In: settings.  Out: an ASGI application over one study."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import APIRouter, FastAPI
from fastapi.staticfiles import StaticFiles

from finassay._version import __version__
from finassay.apps.web.api import adjudicate as adjudicate_api
from finassay.apps.web.api import compare as compare_api
from finassay.apps.web.api import difficulty as difficulty_api
from finassay.apps.web.api import health, rag, scores
from finassay.apps.web.api import items as items_api
from finassay.apps.web.api import outcomes as outcomes_api
from finassay.apps.web.api import submissions as submissions_api
from finassay.apps.web.background import begin_background, end_background
from finassay.apps.web.desk import Desk
from finassay.apps.web.failures import add_failures
from finassay.apps.web.gate import Gate
from finassay.apps.web.guards import add_guards
from finassay.apps.web.pages import (
    about,
    adjudicate,
    adjudicate_review,
    ask,
    ask_the_rules,
    compare,
    difficulty,
    item,
    items,
    judges,
    leaderboard,
    login,
    operations,
    rules,
    submit,
)
from finassay.apps.web.settings import WebSettings

ROUTERS: tuple[APIRouter, ...] = (
    leaderboard.router,
    login.router,
    health.router,
    judges.router,
    operations.router,
    ask.router,
    ask_the_rules.router,
    submit.router,
    outcomes_api.router,
    rag.router,
    submissions_api.router,
    about.router,
    rules.router,
    scores.router,
    adjudicate.router,
    adjudicate_review.router,
    adjudicate_api.router,
    items.router,
    item.router,
    items_api.router,
    difficulty.router,
    difficulty_api.router,
    compare.router,
    compare_api.router,
)
"""Routers of pages and of the API, a line each."""


def create_app(settings: WebSettings) -> FastAPI:
    """Return the application over a study.

    Raises:
        NoStudyError: there is no study at the path.
        StudyError: its layout is of another version.
    """
    desk = Desk(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        begin_background(app, desk)
        yield
        end_background(app)
        desk.close()

    app = FastAPI(
        title="Finassay",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.desk = desk
    app.state.gate = Gate(desk)
    add_guards(app, settings)
    static = str(files("finassay.apps.web").joinpath("static"))
    app.mount("/static", StaticFiles(directory=static), name="static")
    for router in ROUTERS:
        # Pages are for people: the document of the API describes the API.
        app.include_router(router, include_in_schema=_is_api(router))
    add_failures(app)
    return app


def _is_api(router: APIRouter) -> bool:
    return all(getattr(route, "path", "").startswith("/api/") for route in router.routes)
