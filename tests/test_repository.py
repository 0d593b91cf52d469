"""What holds for the repository as a whole: budgets, errors, documentation and what is tracked."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
import subprocess
import sys
import tomllib
import types
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import median

import pytest

import finassay
from finassay import errors

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "finassay"
MODULES = sorted(SOURCE.rglob("*.py"))
PYTHON = [
    path for room in ("src", "tests", "scripts") for path in sorted((ROOT / room).rglob("*.py"))
]

Function = ast.FunctionDef | ast.AsyncFunctionDef

WIDE_BY_DESIGN = {"src/finassay/marking/single.py mark"}
"""Functions whose parameters are the columns of a row, in the words of the user's table."""

MACHINE_PATHS = re.compile(
    r"/work/(main|shared)|/root[/]|/home/[a-z]\w*/|/tmp/(v|brief)\b|/opt/(pypi|wheels)"
)
REGISTRY_HOSTS = re.compile(
    r"https?://(?!pypi\.org/)[^/\s\"']*\b(pypi|pythonhosted|artifactory|nexus|registry|mirror)\b",
    re.IGNORECASE,
)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file: walking a tree again costs as much as reading it."""
    return tuple(ast.walk(tree_of(path)))


@cache
def functions(path: Path) -> tuple[Function, ...]:
    return tuple(node for node in nodes_of(path) if isinstance(node, Function))


def body_lines(function: Function) -> int:
    """Return the lines of the body without the docstring; bodies begin after the signature."""
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def all_arguments(function: Function) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def parameters(function: Function) -> int:
    return len([a for a in all_arguments(function) if a.arg not in {"self", "cls"}])


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"


def error_classes() -> dict[str, type[Exception]]:
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }


def tree_in_docstring() -> dict[str, tuple[int | None, int]]:
    """Return {class: (exit code if written, depth)} of the tree drawn in errors.py, in order."""
    drawn: dict[str, tuple[int | None, int]] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(
            r"^(?P<lead>[\s│├└─]*)(?P<name>[A-Z]\w*Error)(?: \((?P<code>\d+)\))?", line
        )
        if found:
            code = found["code"]
            drawn[found["name"]] = (int(code) if code else None, len(found["lead"].rstrip()))
    return drawn


def tracked_text() -> dict[str, str]:
    """Return {path: text} of all files that git tracks or would add, without binary ones."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so there is no list of tracked files")
    listed = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    texts = {}
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if not path.is_file():
            continue
        raw = path.read_bytes()
        if b"\0" not in raw:
            texts[name] = raw.decode("utf-8", "replace")
    return texts


def pages() -> list[Path]:
    """Return the pages of the documentation and those at the root of the repository."""
    return [
        *ROOT.glob("*.md"),
        *(p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts),
        *(ROOT / "design").glob("*.md"),
    ]


def test_files_have_at_most_400_lines() -> None:
    lengths = {p: p.read_text(encoding="utf-8").count("\n") for p in PYTHON}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > 400} == {}


def test_function_bodies_have_at_most_60_lines() -> None:
    assert [where(p, f) for p in PYTHON for f in functions(p) if body_lines(f) > 60] == []


def test_half_of_the_library_functions_have_at_most_10_lines() -> None:
    assert median(body_lines(f) for p in MODULES for f in functions(p)) <= 10


def test_functions_take_at_most_7_parameters_outside_the_command_line() -> None:
    wide = {
        f"{path.relative_to(ROOT)} {function.name}"
        for path in MODULES
        if SOURCE / "apps" / "cli" not in path.parents
        for function in functions(path)
        if parameters(function) > 7
    }
    assert wide - WIDE_BY_DESIGN == set()


def test_the_measures_count_what_they_say() -> None:
    source = (
        'def f(self, a, *, b=1):\n    """Two.\n\n    Lines.\n    """\n    x = 1\n\n    return x\n'
    )
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert (body_lines(function), parameters(function)) == (3, 2)


def test_no_handler_catches_everything() -> None:
    broad = []
    for path in MODULES:
        for node in nodes_of(path):
            if not isinstance(node, ast.ExceptHandler):
                continue
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {ast.unparse(kind) if kind is not None else "" for kind in kinds}
            if names & {"", "Exception", "BaseException"}:
                broad.append(where(path, node))
    assert broad == []


def test_the_library_does_not_print() -> None:
    calls = [
        where(path, node)
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "pprint"}
    ]
    assert calls == []


def test_public_signatures_hold_no_dict_of_any() -> None:
    loose = [
        where(path, function)
        for path in MODULES
        for function in functions(path)
        if not function.name.startswith("_")
        for note in (function.returns, *(a.annotation for a in all_arguments(function)))
        if note is not None and re.search(r"\b[dD]ict\[str, (typing\.)?Any\]", ast.unparse(note))
    ]
    assert loose == []


def test_importing_finassay_loads_neither_frames_nor_figures() -> None:
    program = (
        "import sys, finassay; "
        "print(sorted({'polars', 'altair', 'deltalake', 'scipy', 'sqlalchemy'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(error_classes()))
def test_every_error_is_ours_and_drawn_with_its_exit_code(name: str) -> None:
    error = error_classes()[name]
    assert issubclass(error, errors.FinassayError)
    drawn = tree_in_docstring()
    assert name in drawn
    code, _ = drawn[name]
    own = "exit_code" in vars(error)
    assert code == (error.exit_code if own else None)


def test_the_drawn_tree_of_errors_is_the_tree_of_the_classes() -> None:
    known = error_classes()
    drawn = tree_in_docstring()
    assert list(drawn) == list(known)
    parents: list[tuple[int, str]] = []
    for name, (_, depth) in drawn.items():
        parents = [(above, parent) for above, parent in parents if above < depth]
        expected = known[parents[-1][1]] if parents else Exception
        assert known[name].__bases__[0] is expected
        parents.append((depth, name))


def test_every_kind_of_error_has_an_exit_code_of_its_own() -> None:
    codes = [kind.exit_code for kind in errors.FinassayError.__subclasses__()]
    assert len(set(codes)) == len(codes)
    assert not {0, errors.FinassayError.exit_code} & set(codes)


def test_the_exit_code_page_lists_the_classes() -> None:
    text = (ROOT / "docs" / "reference" / "exit-codes.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (.+) \|$", text, re.MULTILINE)
    expected = [
        (
            name,
            error.__bases__[0].__name__,
            str(vars(error).get("exit_code", getattr(error, "exit_code", ""))),
            (inspect.getdoc(error) or "").splitlines()[0],
        )
        for name, error in error_classes().items()
    ]
    assert listed == expected


def test_public_names_are_sorted_and_are_all_there_is() -> None:
    names = finassay.__all__
    assert list(names) == sorted(set(names))
    assert [name for name in names if not hasattr(finassay, name)] == []
    public = {
        name
        for name, value in vars(finassay).items()
        if not name.startswith("_")
        and name not in {"annotations", "TYPE_CHECKING"}
        and not isinstance(value, types.ModuleType)
        and getattr(value, "__module__", "finassay").startswith("finassay")
    }
    assert public <= set(names)


def test_test_folders_mirror_the_source() -> None:
    others = {"golden", "reference", "typing"}
    folders = [
        path.relative_to(ROOT / "tests")
        for path in sorted((ROOT / "tests").rglob("*"))
        if path.is_dir() and path.name != "__pycache__" and any(path.rglob("test_*.py"))
    ]
    assert [str(f) for f in folders if f.parts[0] not in others and not (SOURCE / f).is_dir()] == []


def test_no_script_has_the_name_of_a_module_of_the_tests() -> None:
    # One process imports both from the top, and would take the first for the second.
    names = {
        room: {p.stem for p in PYTHON if p.parent == ROOT / room} for room in ("tests", "scripts")
    }
    assert names["tests"] & names["scripts"] == set()


def test_the_changelog_has_a_place_for_the_next_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[Unreleased\]$", text, re.MULTILINE)
    unreleased = text.split("## [Unreleased]", 1)[1].split("\n## ", 1)[0]
    headings = re.findall(r"^### (.+)$", unreleased, re.MULTILINE)
    assert headings == [h for h in ("Added", "Changed", "Fixed", "Scores change") if h in headings]
    assert "Scores change" in headings


def test_links_between_pages_lead_somewhere() -> None:
    dead = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in pages()
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert dead == []


def open_fences(text: str) -> list[int]:
    """Return the lines of code fences that no fence closes before another opens or the end."""
    left, mark, at = [], "", 0
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r" {0,3}(?P<mark>`{3,})(?P<info>[^`]*)$", line)
        if found is None or (mark and len(found["mark"]) < len(mark)):
            continue
        if mark and found["info"].strip():
            left.append(at)
        mark = "" if mark and not found["info"].strip() else found["mark"]
        at = number
    return [*left, at] if mark else left


def test_every_code_fence_on_a_page_is_closed() -> None:
    found = {str(p.relative_to(ROOT)): open_fences(p.read_text(encoding="utf-8")) for p in pages()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_fence_left_open_would_be_noticed() -> None:
    assert open_fences("```sh\nls\n```\n````\n```\n````\n") == []
    assert open_fences("```sh\nls\n## Next\n```sh\nls\n```\n```\n") == [1, 7]


def test_no_page_has_a_heading_or_lists_a_module_twice() -> None:
    repeated = [
        f"{page.name}: {line}"
        for page in (ROOT / "docs" / "reference").glob("*.md")
        for line, n in Counter(page.read_text(encoding="utf-8").splitlines()).items()
        if n > 1 and re.match(r"## |\.\. automodule:: ", line)
    ]
    assert repeated == []


def test_every_environment_variable_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
    used = {
        name
        for text in tracked_text().values()
        for name in re.findall(r"\bFINASSAY_[A-Z_]*[A-Z]\b", text)
    }
    assert {name for name in used if f"`{name}`" not in page} == set()


def test_tracked_text_names_no_machine_path_and_no_registry() -> None:
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked_text().items()
        for pattern in (MACHINE_PATHS, REGISTRY_HOSTS)
        for match in [pattern.search(text)]
        if match
    ]
    assert found == []


@pytest.mark.parametrize(
    "text", ["see /work" + "/main/src", "/home" + "/ada/x", "https" + "://pypi.example.org/simple"]
)
def test_a_machine_path_or_registry_would_be_noticed(text: str) -> None:
    assert MACHINE_PATHS.search(text) or REGISTRY_HOSTS.search(text)


def test_the_page_of_scorers_names_every_scorer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "reference" / "scorers.md").read_text(encoding="utf-8")
    names = project["entry-points"]["finassay.scorers"]
    assert [name for name in names if not re.search(rf"`{re.escape(name)}[`\[]", page)] == []


def test_every_name_of_the_library_is_used_somewhere() -> None:
    defined = [
        (node.name, where(path, node))
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("__")
        # What answers an address is called by its decorator.
        and not any(ast.unparse(one).startswith("router.") for one in node.decorator_list)
    ]
    defined += [
        (target.id, where(path, node))
        for path in MODULES
        for node in tree_of(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and not target.id.startswith("__")
    ]
    words = Counter(word for text in tracked_text().values() for word in re.findall(r"\w+", text))
    assert [place for name, place in defined if words[name] < 2] == []
