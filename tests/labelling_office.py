"""People who label over a server of their own, for tests of the pages of labelling."""

import re
from pathlib import Path

from fastapi.testclient import TestClient
from httpx import Response

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.labels import LabelStore
from labelling_studies import N
from web_clients import form_token, log_in

PEOPLE = {"ada": ("label",), "bob": ("label",), "eve": ("label", "review"), "sam": ("submit",)}


class Office:
    """A server over a study of its own, and people who use it."""

    def __init__(self, root: Path, tokens: dict[str, str]) -> None:
        self.study = Study.open(root)
        self.app = create_app(WebSettings(study=root))
        self._tokens = tokens
        self._clients: dict[str, TestClient] = {}

    def person(self, name: str) -> TestClient:
        if name not in self._clients:
            self._clients[name] = TestClient(self.app)
            log_in(self._clients[name], self._tokens[name])
        return self._clients[name]

    def header(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._tokens[name]}"}

    def post(self, name: str, path: str, **data: object) -> Response:
        client = self.person(name)
        token = form_token(client.get("/adjudicate").text)
        return client.post(path, data={"csrf": token, **data}, follow_redirects=False)

    def join(self, name: str, draw: str) -> None:
        assert self.post(name, "/adjudicate/join", draw=draw).status_code == 303

    def label(self, name: str, draw: str, label: str, **more: object) -> Response:
        """Answer the next unit of a person with the fields that its form has."""
        page = self.person(name).get("/adjudicate/label", params={"draw": draw})
        return self.send(name, fields(page.text), label, **more)

    def send(self, name: str, form: dict[str, str], label: str, **more: object) -> Response:
        sent = {**form, "label": label, **more}
        return self.person(name).post("/adjudicate/label", data=sent, follow_redirects=False)

    def history(self, draw: str) -> list:
        with LabelStore.of(self.study) as store:
            return Ledger(store, read_draw(self.study, draw).draw_id).history()


def fields(page: str) -> dict[str, str]:
    form = page[page.index("<form id=") :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


def next_page(office: Office, name: str, draw: str) -> str:
    return office.person(name).get("/adjudicate/label", params={"draw": draw}).text


def disagreed(office: Office, draw: str = "correctness") -> None:
    """Ada and bob answer all units of a draw, and differ on every second."""
    for name in ("ada", "bob"):
        office.join(name, draw)
    units = sorted(read_draw(office.study, draw).by_unit)
    for name in ("ada", "bob"):
        for _ in range(N):
            page = next_page(office, name, draw)
            form = fields(page)
            differs = name == "bob" and units.index(form["unit"]) % 2
            office.send(name, form, "INCORRECT" if differs else "CORRECT", note=f"of {name}")
