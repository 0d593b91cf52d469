"""What a server shows while the study under it moves."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from finassay.apps.web import boards
from finassay.apps.web import desk as module
from finassay.apps.web.app import create_app
from finassay.apps.web.desk import Desk
from finassay.apps.web.settings import WebSettings
from finassay.marking.view import StudyView, view_study
from finassay.study.label_records import Label
from finassay.study.snapshot import Snapshot
from study_samples import small_study


def label(desk: Desk, value: float) -> None:
    """Let a person say something of the first prediction, as verdicts at once."""
    item = desk.snapshot().items()[0]
    system = desk.snapshot().systems()[0]
    said = Label(annotator="ana", item_id=item.item_id, system_id=system.system_id,
                 label="CORRECT" if value else "INCORRECT", value=value)  # fmt: skip
    desk.store.record(said)
    desk.labels_changed()
    desk.settle()


def versions(snapshot: Snapshot) -> dict[str, int]:
    return dict(snapshot.versions)


def test_a_state_that_moves_faster_than_its_audit_is_shown_as_it_was(
    own_study: Path, monkeypatch: pytest.MonkeyPatch
):
    desk = Desk(WebSettings(study=own_study, patience_s=1.0))
    go_on = threading.Event()
    audit = module.audit_marked

    def slow(*arguments: object, **named: object) -> object:
        go_on.wait(30)
        return audit(*arguments, **named)

    async def read() -> dict[str, int]:
        return await desk.get("versions", versions)

    first = asyncio.run(read())
    monkeypatch.setattr(module, "audit_marked", slow)
    label(desk, 1.0)
    seen = [asyncio.run(read())]
    label(desk, 0.0)
    seen.append(asyncio.run(read()))
    assert seen == [first, first]
    go_on.set()
    # It was the state after the first label that was being audited; that after the second is next.
    desk.settings = WebSettings(study=own_study, patience_s=60)
    second = asyncio.run(read())
    third = asyncio.run(read())
    assert first["verdicts"] < second["verdicts"] < third["verdicts"]
    desk.close()


def test_a_small_study_shows_a_label_at_once(own_study: Path):
    desk = Desk(WebSettings(study=own_study, patience_s=60))
    assert "person/ana" not in asyncio.run(desk.audit()).scorers
    label(desk, 1.0)
    assert "person/ana" in asyncio.run(desk.view()).matrices
    desk.close()


def test_results_of_older_states_and_of_long_ago_are_let_go(
    own_study: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "KEPT", 5)
    desk = Desk(WebSettings(study=own_study, patience_s=60))

    async def fill() -> None:
        for number in range(20):
            await desk.get(f"page {number}", versions)

    asyncio.run(fill())
    assert [key for key, _ in desk._results] == [f"page {n}" for n in range(14, 20)]
    label(desk, 1.0)
    asyncio.run(desk.view())
    assert "page 19" not in {key for key, _ in desk._results}
    desk.close()


def test_labels_that_come_faster_than_they_are_filed_pile_up_no_threads_and_no_work(
    own_study: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "LABELS_S", 0.01)
    desk = Desk(WebSettings(study=own_study))
    desk.settle()
    desk.store.annotators()
    begun, go_on, filings = threading.Event(), threading.Event(), []

    class Slow:
        def file(self) -> list[object]:
            filings.append(threading.current_thread())
            begun.set()
            assert go_on.wait(30)
            return []

    monkeypatch.setattr(desk, "_filer_of_labels", Slow)
    desk.labels_changed()
    assert begun.wait(30)
    before = threading.active_count()
    for _ in range(50):
        desk.labels_changed()
    readers = [threading.Thread(target=desk.file_labels) for _ in range(8)]
    for reader in readers:
        reader.start()
    assert threading.active_count() <= before + len(readers)
    go_on.set()
    for reader in readers:
        reader.join(30)
    # One filing was at work, one more takes everything that came meanwhile in.
    assert len(filings) == 2
    desk.close()
    assert len(filings) == 2


def test_a_study_is_viewed_once_for_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[Snapshot] = []

    def counted(snapshot: Snapshot, **told: bool) -> StudyView:
        made.append(snapshot)
        return view_study(snapshot, **told)

    for room in (
        *("apps.web.desk", "reports.workflow"),
        *("reports.operations_workflow", "analyses.provenance.study"),
    ):
        monkeypatch.setattr(f"finassay.{room}.view_study", counted)
    # Every rule is tried on another view, of its own grid.
    monkeypatch.setattr(boards, "FEW", -1)
    study = small_study(tmp_path / "study").root
    with TestClient(create_app(WebSettings(study=study, patience_s=60))) as client:
        for path in ("/", "/rules", "/difficulty", "/compare", "/judges", "/operations"):
            assert client.get(path).status_code == 200, path
    assert len(made) == 1
