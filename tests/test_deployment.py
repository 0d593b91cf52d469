"""What the container files say exists, and they say nothing that must not be."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import typer

from finassay.apps.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "how-to" / "serve-a-study.md"


def joined(text: str) -> list[str]:
    """Return the instructions of a container file, one a line, without comments."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def recipe() -> str:
    found = re.search(r"```dockerfile\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


FILES = {
    "Dockerfile": (ROOT / "Dockerfile").read_text(encoding="utf-8"),
    "recipe": recipe(),
}


@pytest.fixture(params=sorted(FILES))
def instructions(request: pytest.FixtureRequest) -> list[str]:
    return joined(FILES[request.param])


def values(instructions: list[str], name: str) -> list[str]:
    return [line.partition(" ")[2] for line in instructions if line.split(" ")[0] == name]


def environment(instructions: list[str]) -> dict[str, str]:
    pairs = [word for line in values(instructions, "ENV") for word in line.split()]
    return dict(pair.split("=", 1) for pair in pairs)


def test_images_have_a_version_that_is_not_latest(instructions: list[str]):
    images = [line.split()[0] for line in values(instructions, "FROM")]
    assert images
    for image in images:
        assert re.fullmatch(r"python:3\.\d+-slim-\w+", image), image


def test_the_server_runs_as_an_ordinary_user(instructions: list[str]):
    user = values(instructions, "USER")[-1]
    assert user not in {"root", "0"}
    assert any(f" {user}" in line for line in values(instructions, "RUN") if "useradd" in line)
    last = [line.split(" ")[0] for line in instructions]
    assert last.index("USER") < last.index("CMD")
    assert "sudo" not in "\n".join(instructions)


def test_the_port_that_is_opened_is_the_one_that_is_served(instructions: list[str]):
    told = environment(instructions)
    assert values(instructions, "EXPOSE") == [told["PORT"]]
    assert told["HOST"] == "0.0.0.0"


def test_the_app_port_of_the_space_is_the_one_of_its_recipe():
    found = re.search(r"app_port: (\d+)", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1] == environment(joined(recipe()))["PORT"]


def test_what_is_copied_stands_in_the_repository():
    for line in values(joined(FILES["Dockerfile"]), "COPY"):
        if line.startswith("--from="):
            continue
        *sources, _ = line.split()
        assert [name for name in sources if not (ROOT / name).exists()] == []
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        assert {f"!{name}" for name in sources} <= set(ignored)


def commands() -> list[list[str]]:
    """Return every call of the command line in the container files and around them."""
    image = joined(FILES["Dockerfile"])
    start = [*json.loads(values(image, "ENTRYPOINT")[0]), *json.loads(values(image, "CMD")[0])]
    space = shlex.split(values(joined(recipe()), "CMD")[0])
    page = PAGE.read_text(encoding="utf-8")
    shown = [
        shlex.split(line, comments=True)
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
    ]
    in_image = [
        ["finassay", *words[words.index("finassay:0.1") + 1 :]]
        for words in shown
        if words[:2] == ["docker", "run"]
    ]
    return [
        start,
        space,
        *[words for words in shown if words[0] == "finassay"],
        *[words for words in in_image if len(words) > 1],
    ]


def test_every_command_and_option_that_is_shown_exists():
    assert len(commands()) >= 10
    for words in commands():
        command = typer.main.get_command(app)
        rest = words[1:]
        while getattr(command, "commands", None):
            command = command.commands[rest.pop(0)]
        known = {name for p in command.params for name in [*p.opts, *p.secondary_opts]}
        assert {word for word in rest if word.startswith("--")} <= known, words


def test_the_health_check_asks_the_server_and_fails_without_it():
    (line,) = values(joined(FILES["Dockerfile"]), "HEALTHCHECK")
    command = json.loads(line.partition("CMD ")[2])
    assert command[0] == "python"
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        port = str(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        call = [sys.executable, *command[1:]]
        env = {**os.environ, "PORT": port}
        assert subprocess.run(call, env=env, check=False, timeout=30).returncode == 0
        server.shutdown()
    assert asked == ["/api/health"]
    done = subprocess.run(call, env=env, check=False, timeout=30, capture_output=True)
    assert done.returncode == 1
