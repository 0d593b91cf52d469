"""The file of claims: what it may hold, and what each fault in it is told."""

from pathlib import Path

import pytest

from claim_boards import declared
from finassay.analyses.claims.declared import KINDS, read_claims
from finassay.errors import InputError

GOOD = """
clusters = ["documents"]
[names]
"Model A" = "a"
[caps]
"Model A" = "none"
b = 200
[scope]
leave_out = ["old"]
[[claim]]
kind = "above"
a = "Model A"
b = "b"
margin = 0
"""


def test_a_file_is_read_with_the_names_of_the_study(tmp_path: Path):
    file = declared(GOOD, tmp_path)
    (claim,) = file.claims
    assert claim.claim.systems == ("a", "b")
    assert claim.text == "a scores above b"
    assert claim.scope.leave_out == ("old",)
    assert dict(file.caps) == {"a": None, "b": 200}
    assert file.clusters == ("documents",)


def test_a_claim_replaces_what_all_share(tmp_path: Path):
    file = declared(GOOD + "leave_out = []\nfamilies = ['NUM']", tmp_path)
    assert file.claims[0].scope.leave_out == ()
    assert file.claims[0].scope.families == ("NUM",)


FAULTS = {
    "kind = 'abov'": r"claim 1: key `kind`: expected one of above, .*got 'abov'; did you mean 'ab",
    "a = 'a'\nb = 'b'": r"claim 1: key `kind`: expected one of .*got no such key",
    "kind = 'above'\na = 'a'": r"claim 1: key `b`: expected text, got no such key",
    "kind = 'above'\na = 'a'\nb = 3": r"claim 1: key `b`: expected text, got 3",
    "kind = 'above'\na = 'a'\nb = 'a'": r"claim 1: `a` and `b` must be two systems, got 'a' twice",
    "kind = 'above'\na='a'\nb='b'\nmargn=1": r"unknown key `margn`: .*; did you mean `margin`\?",
    "kind = 'above'\na='a'\nb='b'\nmargin=5": r"`margin` must be a fraction in \[0, 1\], got 5\.0",
    "kind = 'leads'\nsystem='a'\noutright=1": r"key `outright`: expected true or false, got 1",
    "kind = 'in-top'\nsystem='a'\nk=0": r"claim 1: `k` must be at least 1, got 0",
    "kind = 'in-top'\nsystem='a'\nk=1.5": r"key `k`: expected a whole number, got 1.5",
    "kind = 'in-top'\nsystem='a'\nk=true": r"key `k`: expected a whole number, got True",
    "kind = 'accuracy-is'\nsystem='a'\nvalue='x'": r"`value` must be a printed percent",
    "kind = 'accuracy-is'\nsystem='a'\nvalue='170'": r"`value` must be a fraction in \[0, 1\]",
    "kind = 'moves'\nbetween=['x','y']\nranks=0\nsystems_moved=1": r"`ranks` must be at least 1",
    "kind = 'moves'\nbetween=['x']\nranks=1\nsystems_moved=1\ncount='some'": (
        r"key `count`: expected one of at-least, exactly, at-most, got 'some'"
    ),
    "kind = 'moves'\nbetween='x'\nranks=1\nsystems_moved=1": r"`between`: expected a list of texts",
    "kind = 'no-positive-correspondence'\nbetween=[]": r"`between` must name one or two different",
    "kind = 'no-positive-correspondence'\nbetween=['x','y','z']": r"`between` must name one or two",
    "kind = 'no-positive-correspondence'\nbetween=['x','x']": r"must name one or two different",
    "kind = 'no-positive-correspondence'\nbetween=['x']\nat_most=2": r"coefficient in \[-1, 1\]",
    "kind = 'significantly-above'\na='a'\nb='b'\nalpha=0": r"`alpha` must be in \(0, 1\), got 0",
    "kind = 'significantly-above'\na='a'\nb='b'\nfamily=0": r"`family` must be at least 1, got 0",
    "kind = 'leads'\nsystem='a'\nnegated='no'": r"key `negated`: expected true or false, got 'no'",
    "kind = 'leads'\nsystem='a'\nfamilies='NUM'": r"`families`: expected a list of texts, got",
}


@pytest.mark.parametrize(("body", "said"), FAULTS.items())
def test_a_fault_is_told_with_file_claim_key_and_what_was_expected(
    body: str, said: str, tmp_path: Path
):
    with pytest.raises(InputError, match=said) as caught:
        declared(f"[[claim]]\n{body}\n", tmp_path)
    assert str(tmp_path / "claims.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    {
        "[[claim]\n": r"expected TOML, got .*line 1",
        "": r"expected at least one table \[\[claim\]\], got none",
        "claim = [1]": r"expected `claim` to be tables \[\[claim\]\], got 1",
        "[caps]\na = 0\n[[claim]]\nkind='leads'\nsystem='a'": r"`caps.a`: expected characters",
        "[names]\na = 1\n[[claim]]\nkind='leads'\nsystem='a'": r"`a`: expected text, got 1",
        "scope = 1\n[[claim]]\nkind='leads'\nsystem='a'": r"expected a table \[scope\], got 1",
        "claims = 1": r"unknown key `claims`: .*did you mean `claim`\?",
    }.items(),
)
def test_a_fault_of_the_file_itself_is_told(text: str, said: str, tmp_path: Path):
    with pytest.raises(InputError, match=said):
        declared(text, tmp_path)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path):
    with pytest.raises(InputError, match=r"cannot read .*none\.toml"):
        read_claims(tmp_path / "none.toml")


def test_a_file_that_is_not_utf8_is_an_input_error(tmp_path: Path):
    path = tmp_path / "claims.toml"
    path.write_bytes(b"clusters = ['\xff']")
    with pytest.raises(InputError, match="expected UTF-8"):
        read_claims(path)


def test_every_kind_says_what_it_claims():
    assert all(made.__doc__ for made in KINDS.values())
    assert list(KINDS) == [made.kind for made in KINDS.values()]
