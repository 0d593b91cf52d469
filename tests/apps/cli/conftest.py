"""Studies that the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Demo, run
from import_tables import answers, table


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demonstration, run once for all tests; nobody writes to it."""
    root = tmp_path_factory.mktemp("demo")
    study, report, target = root / "study", root / "report", root / "audit.json"
    ran = run("demo", "--study", study, "--out", report, "--json", target)
    return Demo(study, report, target, ran)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A directory with an items file, two prediction files and a table of verdicts."""
    items = [
        {"id": f"q{n}", "question": f"What is {n}?", "answer": f"{n} days", "task_type": "NUM"}
        for n in range(12)
    ]
    table(tmp_path / "items.csv", items)
    right = [{**row, "prediction": f"It takes {n} days.", "correct": "1"} for n, row in rows()]
    wrong = [{**row, "prediction": f"{n + 1} days", "correct": "0"} for n, row in rows()]
    table(tmp_path / "good model.csv", right)
    table(tmp_path / "näive.csv", wrong)
    judged = [
        {"item_id": f"q{n}", "system": name, "strict": str(int(name == "good model")), "judge": "1"}
        for n in range(6)
        for name in ("good model", "näive")
    ]
    table(tmp_path / "judged.csv", judged)
    return tmp_path


def rows() -> list[tuple[int, dict[str, str]]]:
    return list(enumerate(answers()))


@pytest.fixture
def study(raw: Path) -> Path:
    """A study of the raw tables, without verdicts of rules."""
    path = raw / "study ü"
    ran = run(
        "import", path, raw / "good model.csv", raw / "näive.csv", "--items", raw / "items.csv"
    )
    assert ran.code == 0, ran.err
    return path
