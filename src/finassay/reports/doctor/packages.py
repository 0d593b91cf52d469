"""Installed packages.  In: the metadata of distributions.  Out: what is missing or out of range."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import zip_longest

from finassay.reports.doctor.results import Finding

DISTRIBUTION = "finassay"

PURPOSES: Mapping[str, str] = {
    "documents": "HTML and PDF documents for retrieval",
    "embed": "the scorer `embedding` and dense retrieval",
    "graph": "retrieval among more than 100,000 passages",
    "local": "a small model on this machine (compiled, which takes minutes)",
    "math": "the scorer `math_verify`",
    "overlap": "the scorers `rouge`, `bleu`, `chrf` and `meteor`",
    "postgres": "people's labels in PostgreSQL",
    "ray": "work spread over several processes or machines by Ray",
    "run": "asking models, judges included",
    "sentence-transformers": "embedding models by name",
    "sheets": "XLSX files",
    "web": "`finassay serve` and `finassay export-site`",
}
"""What each extra is for."""

_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*\(?(?P<range>[^;()]*)\)?\s*(?:;(?P<when>.*))?"
)
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")
_CLAUSE = re.compile(r"(?P<sign>>=|<=|==|!=|<|>|~=)\s*(?P<version>[\w.*+!-]+)")

InstalledVersion = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that this one declares: its name, range of versions and extra ("" for none)."""

    name: str
    range: str
    extra: str


def declared(lines: Sequence[str]) -> tuple[Requirement, ...]:
    """Return the requirements that lines of metadata (PEP 508) declare."""
    found = (_REQUIREMENT.fullmatch(line.strip()) for line in lines)
    return tuple(
        Requirement(
            match["name"],
            match["range"].strip(),
            next(iter(_EXTRA.findall(match["when"] or "")), ""),
        )
        for match in found
        if match is not None
    )


def is_in_range(installed: str, wanted: str) -> bool:
    """Whether a version lies in a range such as ">=2.1,<3"; release numbers alone are compared."""
    return all(
        _holds(_release(installed), clause["sign"], clause["version"])
        for clause in _CLAUSE.finditer(wanted)
    )


def _release(text: str) -> tuple[int, ...]:
    """Return the numbers before any letter: 1.2.0rc1 counts as 1.2.0."""
    found = re.match(r"\d+(?:\.\d+)*", text.rpartition("!")[2])
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _compared(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    pairs = zip_longest(left, right, fillvalue=0)
    return next(((a > b) - (a < b) for a, b in pairs if a != b), 0)


def _holds(installed: tuple[int, ...], sign: str, text: str) -> bool:
    wanted = _release(text)
    starts = installed[: len(wanted)] == wanted
    if sign in {"==", "!="}:
        same = starts if text.endswith("*") else _compared(installed, wanted) == 0
        return same is (sign == "==")
    if sign == "~=":
        return _compared(installed, wanted) >= 0 and installed[: len(wanted) - 1] == wanted[:-1]
    order = _compared(installed, wanted)
    return {">=": order >= 0, "<=": order <= 0, ">": order > 0, "<": order < 0}[sign]


def installed_version(name: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def examine_packages(
    lines: Sequence[str] | None = None, installed: InstalledVersion = installed_version
) -> Iterator[Finding]:
    """Yield what is wrong with the packages that are always needed, and the state of every extra.

    Args:
        lines: requirements as in the metadata; by default those of the installed Finassay.
        installed: gives the version of an installed package.
    """
    if lines is None:
        try:
            lines = requires(DISTRIBUTION) or ()
        except PackageNotFoundError:
            yield Finding(
                area="package",
                name=DISTRIBUTION,
                state="note",
                said="runs from a folder and is not installed, so it declares no packages",
                advice="install it: pip install . in the checkout",
            )
            return
    known = declared(lines)
    yield _core([one for one in known if not one.extra], installed)
    for extra in sorted({one.extra for one in known if one.extra}):
        yield _extra(extra, [one for one in known if one.extra == extra], installed)


def _faults(needed: Sequence[Requirement], installed: InstalledVersion) -> tuple[list[str], ...]:
    """Return the packages that are missing, those out of range, and those that are well."""
    missing: list[str] = []
    outside: list[str] = []
    well: list[str] = []
    for one in needed:
        found = installed(one.name)
        if found is None:
            missing.append(one.name)
        elif is_in_range(found, one.range):
            well.append(f"{one.name} {found}")
        else:
            outside.append(f"{one.name} {found} (expected {one.range})")
    return missing, outside, well


def _core(needed: Sequence[Requirement], installed: InstalledVersion) -> Finding:
    missing, outside, well = _faults(needed, installed)
    if missing or outside:
        return Finding(
            area="package",
            name=DISTRIBUTION,
            state="problem",
            said="; ".join(
                f"{what}: {', '.join(names)}"
                for what, names in (("missing", missing), ("out of range", outside))
                if names
            ),
            advice="install it again: pip install --upgrade . in the checkout",
        )
    said = f"all {len(well)} packages that it needs are installed and in range"
    return Finding(area="package", name=DISTRIBUTION, state="ok", said=said)


def _extra(extra: str, needed: Sequence[Requirement], installed: InstalledVersion) -> Finding:
    missing, outside, well = _faults(needed, installed)
    purpose = PURPOSES.get(extra, "see its packages")
    advice = f"to use it: pip install 'finassay[{extra}]' (in the checkout: '.[{extra}]')"
    if outside:
        said = f"{', '.join(outside)} is out of range; for {purpose}"
        return Finding(area="extra", name=extra, state="problem", said=said, advice=advice)
    if missing:
        part = "not installed" if not well else f"{', '.join(missing)} not installed"
        said = f"{part}; for {purpose}"
        return Finding(area="extra", name=extra, state="note", said=said, advice=advice)
    return Finding(area="extra", name=extra, state="ok", said=f"{', '.join(well)}; for {purpose}")
