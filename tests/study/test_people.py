import re
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from finassay.errors import UnknownNameError, UsageError
from finassay.study import people as people_module
from finassay.study.labels import LabelStore
from finassay.study.people import People, Person
from finassay.study.sessions import Sessions


@pytest.fixture
def store(store_url: str) -> Iterator[LabelStore]:
    with LabelStore(store_url) as opened:
        yield opened


@pytest.fixture
def people(store: LabelStore) -> People:
    return People(store)


@pytest.fixture
def sessions(store: LabelStore) -> Sessions:
    return Sessions(store)


def test_a_token_leads_to_its_person_and_no_other_text_does(people: People):
    ann = people.add("Ann", ("review", "label"))
    bob = people.add("Bob")
    assert ann.person.roles == ("label", "review")
    assert people.with_token(ann.token) == ann.person
    assert people.with_token(bob.token) == bob.person
    for wrong in ("", "Ann", ann.token[:-1], ann.token + "x", ann.token.upper(), "é", "x" * 9999):
        assert people.with_token(wrong) is None


def test_tokens_are_32_random_bytes_and_only_their_digest_is_kept(store: LabelStore):
    tokens = [People(store).add(name).token for name in ("a", "b")]
    assert all(re.fullmatch(r"finassay-[\w-]{43}", token) for token in tokens)
    with store.engine.connect() as connection:
        rows = str(connection.execute(text("SELECT * FROM people")).all())
    assert tokens[0] != tokens[1]
    assert not any(token in rows or token.removeprefix("finassay-") in rows for token in tokens)


def test_a_revoked_token_and_its_sessions_are_over_and_the_name_is_free(
    people: People, sessions: Sessions
):
    first = people.add("ann")
    session = sessions.begin(first.person)
    assert sessions.person(session) == first.person
    revoked = people.revoke("ann")
    assert revoked.revoked is not None
    assert people.with_token(first.token) is None
    assert sessions.person(session) is None
    second = people.add("ann", ("submit",))
    assert people.with_token(second.token) == second.person
    assert people.with_token(first.token) is None
    assert [(one.name, one.roles, one.revoked is None) for one in people.listed()] == [
        ("ann", ("label",), False),
        ("ann", ("submit",), True),
    ]


def test_names_and_roles_that_cannot_be_are_refused(people: People):
    people.add("ann")
    with pytest.raises(UsageError, match="a person named 'ann' already"):
        people.add("ann")
    with pytest.raises(UsageError, match="some of label, review, submit, got 'admin'"):
        people.add("bob", ("label", "admin"))
    with pytest.raises(UsageError, match="got none"):
        people.add("bob", ())
    for name in ("", " bob", "a/b", "a\nb", "a\x1b[0m"):
        with pytest.raises(UsageError, match="must be printable"):
            people.add(name)
    with pytest.raises(UsageError, match="at most 100 characters, got 101"):
        people.add("b" * 101)
    with pytest.raises(UnknownNameError, match=r"nobody named 'bob' has a token; there are: ann"):
        people.revoke("bob")


def test_every_digest_is_compared_wherever_the_right_one_stands(
    people: People, monkeypatch: pytest.MonkeyPatch
):
    tokens = [people.add(f"p{at}").token for at in range(5)]
    seen: list[bool] = []
    compared = people_module.hmac.compare_digest

    def compare(a: str, b: str) -> bool:
        seen.append(compared(a, b))
        return seen[-1]

    monkeypatch.setattr(people_module.hmac, "compare_digest", compare)
    counts = []
    for token in (tokens[0], tokens[2], tokens[4], "finassay-" + "A" * 43):
        seen.clear()
        people.with_token(token)
        counts.append(len(seen))
    assert counts == [5, 5, 5, 5]


def test_a_session_ends_with_the_logout_and_no_other_does(people: People, sessions: Sessions):
    ann = people.add("ann").person
    one, two = sessions.begin(ann), sessions.begin(ann)
    assert one != two
    sessions.end(one)
    sessions.end(one)
    assert sessions.person(one) is None
    assert sessions.person(two) == ann
    for wrong in ("", "é", two + "x", "x" * 9999):
        assert sessions.person(wrong) is None


def test_sessions_expire_and_are_swept(store: LabelStore, people: People, sessions: Sessions):
    ann = people.add("ann").person
    old = sessions.begin(ann, hours=-1)
    assert sessions.person(old) is None
    sessions.begin(ann)
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 1


def test_a_session_outlasts_the_process_that_began_it(
    store_url: str, people: People, sessions: Sessions
):
    session = sessions.begin(people.add("ann").person)
    with LabelStore(store_url) as again:
        found = Sessions(again).person(session)
    assert isinstance(found, Person)
    assert found.name == "ann"


def test_a_session_of_one_store_is_unknown_to_another(tmp_path, people: People, sessions: Sessions):  # noqa: ANN001
    ann = people.add("ann")
    session = sessions.begin(ann.person)
    with LabelStore(sqlite=tmp_path / "another.sqlite") as other:
        People(other).add("ann")
        assert Sessions(other).person(session) is None
        assert People(other).with_token(ann.token) is None
