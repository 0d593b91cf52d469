from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.runs.importers._seen import Seen

KEYS = st.tuples(st.integers(0, 3_000), st.integers(0, 2))
SAID = st.integers(1, 2**64 - 1)


@settings(deadline=None, max_examples=60)
@given(told=st.dictionaries(KEYS, SAID, max_size=40), asked=st.lists(KEYS, max_size=20))
def test_what_was_said_is_told_again_and_nothing_else(
    told: dict[tuple[int, int], int], asked: list[tuple[int, int]]
) -> None:
    seen = Seen()
    for (place, trial), said in told.items():
        assert seen.get(place, trial) == 0
        seen.put(place, trial, said)
    assert len(seen) == len(told)
    assert {(place, trial): said for place, trial, said in seen} == told
    for key in [*told, *asked]:
        assert seen.get(*key) == told.get(key, 0)
