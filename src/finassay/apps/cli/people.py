"""Commands about the people who may write: add, list, revoke."""

from __future__ import annotations

from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import LabelsUrl, StudyPath

PersonName = Annotated[
    str, typer.Argument(metavar="NAME", help="The person, also as annotator of labels.")
]

app = typer.Typer(help="Say who may label, review and submit.", no_args_is_help=True)


@app.command("add")
def add(
    study: StudyPath,
    name: PersonName,
    roles: Annotated[
        str,
        typer.Option(
            metavar="ROLE,ROLE,...",
            help="label (give labels), review (settle conflicts, see all labels), submit "
            "(bring in predictions).",
        ),
    ] = "label",
    labels_url: LabelsUrl = None,
) -> None:
    """Add a person and print the token to log in with.

    The token is shown this once and stored nowhere; give it to the person by a safe way.
    """
    from finassay.study import Study
    from finassay.study.people import People, store_for

    with store_for(Study.open(study), url=labels_url) as store:
        made = People(store).add(name, split_ids(roles))
    show.lines([f"added {name} ({', '.join(made.person.roles)}); the token, shown this once:"], "-")
    show.lines([made.token])


@app.command("list")
def listed(study: StudyPath, labels_url: LabelsUrl = None) -> None:
    """List the people, what they may do, and since when."""
    from finassay.study import Study
    from finassay.study.people import People, store_for

    with store_for(Study.open(study), url=labels_url) as store:
        people = People(store).listed()
    show.lines(
        f"{one.name}  {','.join(one.roles)}  added {one.created}"
        + (f"  revoked {one.revoked}" if one.revoked else "")
        for one in people
    )
    if not people:
        show.lines([f"nobody yet; add somebody with `finassay people add {study} NAME`"], "-")


@app.command("revoke")
def revoke(study: StudyPath, name: PersonName, labels_url: LabelsUrl = None) -> None:
    """Take a person's token and sessions away at once; labels stay."""
    from finassay.study import Study
    from finassay.study.people import People, store_for

    with store_for(Study.open(study), url=labels_url) as store:
        gone = People(store).revoke(name)
    show.lines([f"revoked the token of {name}, added {gone.created}; labels stay"])
