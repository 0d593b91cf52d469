import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

import sample_audits
from finassay.analyses.results import Audit
from finassay.errors import UnknownNameError, UsageError
from finassay.reports import latex
from finassay.reports.json import audit_json, audit_object, schema, schema_of_audit
from finassay.reports.markdown import escaped, markdown
from finassay.reports.terminal import terminal
from finassay.reports.write import rendered, write_report


@pytest.fixture(scope="module")
def twelve() -> Audit:
    return sample_audits.made_audit()


@pytest.fixture(scope="module")
def hostile() -> Audit:
    return sample_audits.made_audit(8, names=sample_audits.HOSTILE)


def test_json_follows_the_published_schema(twelve: Audit):
    checker = jsonschema.Draft202012Validator(schema("audit"))
    checker.check_schema(schema("audit"))
    checker.validate(json.loads(audit_json(twelve)))
    checker.validate(json.loads(audit_json(sample_audits.bare_audit())))


def test_schema_refuses_a_percent_where_an_object_is_due(twelve: Audit):
    plain = audit_object(twelve)
    plain["leaderboard"] = 89.7
    with pytest.raises(jsonschema.ValidationError, match=r"89\.7"):
        jsonschema.Draft202012Validator(schema("audit")).validate(plain)


def test_published_schema_is_the_one_the_results_imply():
    wanted = json.dumps(schema_of_audit(), indent=2, ensure_ascii=False) + "\n"
    path = files("finassay.reports").joinpath("schemas/audit.json")
    # After a change of a result class: write `wanted` to that file, and read the difference.
    assert path.read_text("utf-8") == wanted


def test_unknown_schema_is_named():
    with pytest.raises(UnknownNameError, match="no schema is called 'runs'"):
        schema("runs")


def test_json_names_its_schema_first_and_holds_fractions(twelve: Audit):
    plain = json.loads(audit_json(twelve))
    assert next(iter(plain)) == "schema"
    assert plain["schema"] == "finassay/audit/1"
    assert all(0 <= row["estimate"]["value"] <= 1 for row in plain["leaderboard"]["rows"])


def test_markdown_tables_have_one_width(hostile: Audit):
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", markdown(hostile), flags=re.MULTILINE)
    assert len(blocks) > 10
    for block in blocks:
        pipes = {len(re.findall(r"(?<!\\)\|", line)) for line in block.strip().splitlines()}
        assert len(pipes) == 1


def test_markdown_escapes_markup():
    assert escaped("<b>|*_`[x]") == r"\<b\>\|\*\_\`\[x\]"
    assert escaped("a & b") == "a &amp; b"


def test_markdown_has_the_headings_of_the_report(twelve: Audit):
    text = markdown(twelve)
    for heading in ("Verdict", "Leaderboard", "Ranks across regimes", "Findings", "Methods"):
        assert f"## {heading}\n" in text
    assert "### What moves the score" in text


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("50% & $5 #1", r"50\% \& \$5 \#1"),
        ("a_b {c}", r"a\_b \{c\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("—¹", r"\textemdash{}\textsuperscript{1}"),
        ("−3 × é", r"$-$3 $\times$ é"),
        ("中", "[U+4E2D]"),
        ("₹5", "Rs.5"),
    ],
)
def test_latex_escapes(raw: str, safe: str):
    assert latex.escaped(raw) == safe


def test_latex_tables_are_balanced_and_have_one_width(hostile: Audit):
    for key, text in latex.latex_tables(hostile).items():
        bare = re.sub(r"\\[\\{}%&$#_]", "", text)
        bare = re.sub(r"(?m)%.*$", "", bare)
        assert bare.count("{") == bare.count("}"), key
        assert text.count("\\begin{") == text.count("\\end{")
        body = text[text.index("\\toprule") : text.index("\\bottomrule")]
        widths = {
            len(re.findall(r"(?<!\\)&", line))
            for line in body.splitlines()
            if line.endswith("\\\\")
        }
        assert len(widths) == 1, key


def test_latex_leaves_no_character_that_an_engine_may_refuse(hostile: Audit):
    text = "".join(latex.latex_tables(hostile).values())
    assert {char for char in text if ord(char) > latex.LAST_LATIN} == set()


@pytest.mark.parametrize("systems", [3, 12, 35])
def test_terminal_fits_forty_lines_of_a_hundred_columns(systems: int):
    lines = terminal(sample_audits.made_audit(systems)).splitlines()
    assert len(lines) <= 40
    assert max(len(line) for line in lines) <= 100
    assert any(line.startswith("* ") for line in lines)


def test_terminal_columns_do_not_touch(twelve: Audit):
    lines = terminal(twelve).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Rank"))
    for line in lines[start + 1 : start + 13]:
        assert len(re.split(r" {2,}", line.strip())) == 7


def test_same_audit_gives_the_same_bytes(tmp_path: Path):
    first = write_report(sample_audits.made_audit(4), tmp_path / "a")
    second = write_report(sample_audits.made_audit(4), tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    assert {p.name for p in first} >= {"report.html", "report.md", "report.json", "leaderboard.tex"}


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    audit = sample_audits.bare_audit()
    write_report(audit, tmp_path, formats=("json",))
    before = (tmp_path / "report.json").read_bytes()

    def refuse(self: Path, target: Path) -> Path:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no space left"):
        write_report(audit, tmp_path, formats=("json",))
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]
    assert (tmp_path / "report.json").read_bytes() == before


def test_unknown_formats_are_refused_before_anything_is_written(tmp_path: Path):
    with pytest.raises(UsageError, match=r"at least one of html, md, json, tex, got \('pdf',\)"):
        write_report(sample_audits.bare_audit(), tmp_path / "out", formats=("pdf",))
    assert not (tmp_path / "out").exists()


def test_a_file_is_no_directory(tmp_path: Path):
    (tmp_path / "f").write_text("x")
    with pytest.raises(UsageError, match="got the file"):
        write_report(sample_audits.bare_audit(), tmp_path / "f", formats=("json",))


def test_texts_of_sources_leave_every_format_on_request():
    audit = sample_audits.made_audit(3)
    kept = "".join(rendered(audit, ("md", "json", "tex")).values())
    bare = "".join(rendered(audit, ("md", "json", "tex"), no_text=True).values())
    assert "as printed in the paper" in kept
    assert "as printed in the paper" not in bare
