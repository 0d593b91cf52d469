"""Scorers by name, id and spec."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint

import pytest

from finassay.errors import SpecError, UnknownNameError
from finassay.scorers import registry
from finassay.scorers.base import Scorer
from finassay.scorers.composites import AnyOf, Imported
from finassay.scorers.registry import (
    LONGEST_ID,
    from_spec,
    is_imported,
    load_scorer,
    scorer_class,
    scorer_id_of,
    scorer_names,
    to_spec,
)
from finassay.scorers.similarity import TokenSet
from finassay.scorers.strict import NumbersFirst
from finassay.scorers.strings import Exact, TokenF1


def test_every_registered_name_loads_a_scorer_of_that_name():
    assert len(scorer_names()) >= 13
    assert list(scorer_names()) == sorted(scorer_names())
    for name in scorer_names():
        assert scorer_class(name).name == name


@pytest.mark.parametrize(
    ("scorer", "scorer_id"),
    [
        (Exact(), "exact"),
        (Exact(normaliser="none"), "exact"),
        (Exact(normaliser="words"), 'exact[normaliser="words"]'),
        (NumbersFirst(threshold=0.8), "strict/numbers-first[threshold=0.8]"),
        (TokenSet(threshold=1.0), "token_set[threshold=1]"),
        (TokenSet(threshold=1), "token_set[threshold=1]"),
        (
            TokenSet(threshold=0.5, normaliser="squad"),
            'token_set[threshold=0.5,normaliser="squad"]',
        ),
        (NumbersFirst(yes_no_tasks=("a", "ब")), 'strict/numbers-first[yes_no_tasks=["a", "ब"]]'),
        (AnyOf(parts=(Exact(),)), 'any_of[parts=["exact"]]'),
        (AnyOf(parts=(Imported(name="stored"),)), 'any_of[parts=["stored"]]'),
        (Imported(name="judge/small"), "judge/small"),
    ],
)
def test_an_id_names_what_differs_from_the_defaults(scorer: Scorer, scorer_id: str):
    assert scorer_id_of(scorer) == scorer_id
    assert load_scorer(scorer_id) == scorer
    assert from_spec(to_spec(scorer)) == scorer


@pytest.mark.parametrize(
    "scorer_id",
    [
        ' token_set[ threshold = 0.5 , normaliser = "squad" ] ',
        'token_set[normaliser="squad",threshold=5e-1]',
    ],
)
def test_spaces_and_order_in_an_id_do_not_matter(scorer_id: str):
    assert load_scorer(scorer_id) == TokenSet(threshold=0.5, normaliser="squad")


def test_empty_brackets_change_nothing():
    assert load_scorer("exact[]") == Exact()


def test_commas_and_brackets_inside_values_are_part_of_them():
    rule = NumbersFirst(yes_no_tasks=("a],b=1", '"', "[#"))
    assert load_scorer(scorer_id_of(rule)) == rule


@pytest.mark.parametrize(
    ("scorer_id", "message"),
    [
        ("exact[", "opens a bracket that it does not close"),
        ('exact[normaliser="words"', "opens a bracket that it does not close"),
        ("token_set[threshold]", "expected name=VALUE with a JSON value"),
        ("token_set[threshold=]", "expected name=VALUE with a JSON value"),
        ("token_set[threshold=high]", "expected name=VALUE with a JSON value"),
        ("exact[normaliser=words]", "expected name=VALUE with a JSON value"),
        ('exact[normaliser="words]', "expected name=VALUE with a JSON value"),
        ("token_set[threshold=0.5 0.6]", "expected a comma before '0.6'"),
        ("token_set[threshold=0.5]]", r"expected a comma before '\]'"),
        ("token_set[threshold=0.5,threshold=0.6]", "gives 'threshold' twice"),
        ("token_set[cutoff=0.5]", "has no parameter cutoff; it takes normaliser, threshold"),
        ("token_set[threshold=72]", r"must be in \[0, 1\], got 72; for 72% pass 0\.72"),
        ("token_set[threshold=NaN]", r"must be in \[0, 1\], got nan"),
        ('token_set[threshold="0.5"]', r"must be in \[0, 1\], got '0\.5'"),
        ("token_set[threshold=true]", r"must be in \[0, 1\], got True"),
        ('token_set[threshold={"a": 1}]', r"must be in \[0, 1\]"),
        ('exact[normaliser={"a": 1}]', "the scorer 'exact' cannot be built"),
        ("any_of", r"'any_of' cannot be built without parts; give it as any_of\[parts=VALUE\]"),
        ("any_of[parts=[]]", "must list at least one scorer"),
        ('any_of[parts="exact"]', "`parts` must be a list of scorers, got 'exact'"),
        ("any_of[parts=[5]]", "a scorer spec is a JSON object with a name, got 5"),
        ("stored[threshold=0.5]", "no scorer|takes no parameters"),
        ("judge/small[k=1]", "the imported scorer 'judge/small' takes no parameters"),
        ("exact[#0123456789abcdef]", "holds a digest of its parameters, not the parameters"),
    ],
)
def test_an_id_that_cannot_be_used_says_what_is_wrong(scorer_id: str, message: str):
    with pytest.raises(SpecError, match=message):
        load_scorer(scorer_id)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("strict/number-first", "did you mean strict/numbers-first"),
        ("tokenset", "did you mean token_set"),
        ("store", "did you mean stored"),
        ("EXACT!?", "no scorer 'EXACT!.'; see `finassay scorers`"),
        ("", "no scorer ''; see `finassay scorers`"),
        ('any_of[parts=["exat"]]', "did you mean exact"),
        ("exact]", "no scorer 'exact]'"),
    ],
)
def test_an_unknown_name_is_refused_with_those_near(name: str, message: str):
    with pytest.raises(UnknownNameError, match=message):
        load_scorer(name)


def test_a_scorer_that_cannot_be_imported_is_an_error_with_its_address(
    monkeypatch: pytest.MonkeyPatch,
):
    broken = EntryPoint(name="broken", value="no_such_package:Rule", group=registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: {"broken": broken})
    with pytest.raises(UnknownNameError, match="registered as 'no_such_package:Rule' but cannot"):
        load_scorer("broken")


@pytest.mark.parametrize("name", ["stored", "judge/a", "person/b", "imported/c"])
def test_imported_names_load_without_being_installed(name: str):
    assert is_imported(name)
    assert load_scorer(name) == Imported(name=name)


def test_other_names_are_not_imported():
    assert not any(is_imported(name) for name in (*scorer_names(), "judges", "stored2", "personal"))


def test_an_over_long_id_is_a_digest_that_still_tells_rules_apart():
    rules = [NumbersFirst(yes_no_tasks=("t" * LONGEST_ID, last)) for last in ("a", "b")]
    ids = [scorer_id_of(rule) for rule in rules]
    assert all(found.startswith("strict/numbers-first[#") for found in ids)
    assert all(len(found) <= LONGEST_ID for found in ids)
    assert ids[0] != ids[1]
    assert scorer_id_of(NumbersFirst(yes_no_tasks=("t" * LONGEST_ID, "a"))) == ids[0]
    assert from_spec(to_spec(rules[0])) == rules[0]


def test_an_id_of_the_greatest_length_is_still_readable():
    room = LONGEST_ID - len('strict/numbers-first[yes_no_tasks=[""]]')
    longest = NumbersFirst(yes_no_tasks=("t" * room,))
    assert len(scorer_id_of(longest)) == LONGEST_ID
    assert load_scorer(scorer_id_of(longest)) == longest
    assert "[#" in scorer_id_of(NumbersFirst(yes_no_tasks=("t" * (room + 1),)))


def test_a_spec_names_version_and_all_parameters():
    assert json.loads(to_spec(TokenF1())) == {
        "name": "token_f1",
        "version": "1",
        "parameters": {"normaliser": "squad", "threshold": None},
    }


def test_the_spec_of_a_composite_holds_the_specs_of_its_parts():
    long = NumbersFirst(yes_no_tasks=("t" * LONGEST_ID,))
    nested = AnyOf(parts=(AnyOf(parts=(long, Exact())), Imported(name="stored")))
    assert from_spec(to_spec(nested)) == nested
    assert from_spec(json.loads(to_spec(nested))) == nested


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ('{"name": "exact", "version": "0"}', "is for version '0' of 'exact', this install has"),
        ("{exact", "a scorer spec is a JSON object with a name, got '{exact'"),
        ("", "a scorer spec is a JSON object with a name, got ''"),
        ('["exact"]', "a scorer spec is a JSON object with a name"),
        ('{"name": 5}', "a scorer spec is a JSON object with a name"),
        ('{"name": "exact", "parameters": ["words"]}', "`parameters` of a scorer spec must be an"),
        ('{"name": "exact", "parameters": {"form": "words"}}', "no parameter form"),
    ],
)
def test_a_spec_that_cannot_be_used_says_what_is_wrong(spec: str, message: str):
    with pytest.raises(SpecError, match=message):
        from_spec(spec)


def test_a_spec_may_leave_out_version_and_parameters():
    assert from_spec('{"name": "exact"}') == Exact()


def test_a_part_of_another_version_is_refused():
    spec = json.loads(to_spec(AnyOf(parts=(Exact(),))))
    spec["parameters"]["parts"][0]["version"] = "0"
    with pytest.raises(SpecError, match="is for version '0' of 'exact'"):
        from_spec(spec)
