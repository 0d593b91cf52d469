r"""Tables for LaTeX.  In: an audit.  Out: one booktabs table a file, safe under every engine."""

from __future__ import annotations

import unicodedata

from finassay.analyses.results import Audit
from finassay.reports.numbers import SUPERSCRIPTS
from finassay.reports.table import Table
from finassay.reports.tables import tables

SPECIAL: dict[str, str] = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"-{}",
    "—": r"\textemdash{}",
    "–": r"\textendash{}",
    "−": r"$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "↓": r"$\downarrow$",
    "·": r"\textperiodcentered{}",
    "…": r"\dots{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "€": r"\texteuro{}",
    "£": r"\textsterling{}",
    "¥": r"\textyen{}",
    "₹": r"Rs.",
    "\u00a0": "~",
    "α": r"$\alpha$",
    "χ": r"$\chi$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    **{digit: rf"\textsuperscript{{{i}}}" for i, digit in enumerate(SUPERSCRIPTS)},
}

LAST_LATIN = 0x017F
"""Letters up to Latin Extended-A are set by every engine with the T1 encoding."""


def escaped(text: str) -> str:
    r"""Return text that means itself in LaTeX under any engine.

    Characters that only some engines can set are written as their code point, for instance
    "[U+4E2D]": the file always compiles, and nothing is dropped in silence.
    """
    return "".join(_one(char) for char in text)


def _one(char: str) -> str:
    known = SPECIAL.get(char)
    if known is not None:
        return known
    if " " <= char < "\u007f":
        return char
    if ord(char) <= LAST_LATIN and unicodedata.category(char).startswith("L"):
        return char
    return f"[U+{ord(char):04X}]"


def latex_table(table: Table) -> str:
    r"""Return one table for `\input`; it needs the packages booktabs and textcomp."""
    spec = "".join("r" if column.align == "right" else "l" for column in table.columns)
    lines = [
        "% Needs \\usepackage{booktabs,graphicx,textcomp} and \\usepackage[T1]{fontenc}.",
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{escaped(table.caption)}}}",
        f"  \\label{{tab:{table.key}}}",
        "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"  \\begin{{tabular}}{{{spec}}}",
        "    \\toprule",
        f"    {_row(tuple(column.header for column in table.columns))}",
        "    \\midrule",
    ]
    for index, row in enumerate(table.rows):
        if index in table.breaks:
            lines.append("    \\midrule")
        lines.append(f"    {_row(row)}")
    lines += ["    \\bottomrule", "  \\end{tabular}}"]
    if table.notes:
        notes = " ".join(escaped(note) for note in table.notes)
        lines.append(f"  \\par\\smallskip\\begin{{minipage}}{{\\linewidth}}\\footnotesize {notes}")
        lines.append("  \\end{minipage}")
    lines.append("\\end{table}")
    return "\n".join(lines) + "\n"


def _row(cells: tuple[str, ...]) -> str:
    # An opening bracket after a line end would be read as an optional argument, hence the braces.
    return f"{{}}{' & '.join(escaped(cell) for cell in cells)} \\\\"


def latex_tables(audit: Audit, *, no_text: bool = False) -> dict[str, str]:
    """Return every table of the audit as LaTeX, by key; tables without rows are left out."""
    made = tables(audit, no_text=no_text)
    return {key: latex_table(table) for key, table in made.items() if table.rows}
