"""Labelling on this server.  In: a request.  Out: the draws of its study, kept between requests."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, HTTPException, Request

from finassay.apps.web.desk import desk_of
from finassay.study.adjudication.labelling import Labelling


def labelling_of(request: Request) -> Labelling:
    """Return the labelling of the server that got a request; made when it is first asked for.

    Raises:
        HTTPException: the server shows no texts, so nobody can label.
    """
    desk = desk_of(request)
    if desk.settings.no_text:
        raise HTTPException(
            status_code=403,
            detail="this server was started with --no-text: there is nothing to read, so nobody "
            "can label; ask who runs it to serve the study with its texts",
        )
    held = getattr(request.app.state, "labelling", None)
    if held is None:
        held = Labelling(desk.study, desk.store)
        request.app.state.labelling = held
    return cast("Labelling", held)


LabellingOf = Annotated[Labelling, Depends(labelling_of)]

DRAW_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"
"""Names that draws can have."""

UNIT_CODE = r"^u[0-9]{12}$"
"""Codes that units have."""
