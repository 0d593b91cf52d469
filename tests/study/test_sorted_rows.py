import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.study.sorted_rows import SortedRows

ROWS = st.lists(st.binary(min_size=32, max_size=32) | st.sampled_from([bytes(32), b"a" * 32]))


@settings(deadline=None, max_examples=80)
@given(rows=ROWS, most=st.integers(1, 20), together=st.integers(1, 5))
def test_parts_on_disk_give_the_digest_of_all_rows_in_order(
    rows: list[bytes], most: int, together: int
):
    with SortedRows(most_held=most) as found:
        for at in range(0, len(rows), together):
            found.add(b"".join(rows[at : at + together]))
        assert found.hexdigest() == hashlib.sha256(b"".join(sorted(rows))).hexdigest()


@pytest.mark.parametrize("count", [5, 3_000])
def test_no_more_is_held_than_was_allowed(count: int):
    rows = [hashlib.sha256(str(n).encode()).digest() for n in range(count)]
    most = 100
    with SortedRows(most_held=most) as found:
        for row in rows:
            found.add(row)
            assert len(found._held) < 32 * (most + 1)
        assert found.hexdigest() == hashlib.sha256(b"".join(sorted(rows))).hexdigest()
