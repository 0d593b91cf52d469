"""What a provider says of an error is shown without the key that it repeats."""

from __future__ import annotations

import pytest

from finassay.runs.secrets import without_secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: hunter22-hunter22.", "Incorrect API key provided: [secret]."),
        ("token abcdefghij is gone", "token [secret] is gone"),
        ("sk-proj-1234567890 and pk_live_abcdefg", "[secret] and [secret]"),
        ("Authorization: Bearer eyJhbGciOi.abc", "Authorization: [secret]"),
        ("sk-ab****yz", "[secret]"),
        ("the monkey-business of a key part", "the monkey-business of a key part"),
        ("short 123 stays, and the home /root", "short 123 stays, and the home /root"),
    ],
)
def test_a_secret_is_masked_by_value_and_by_shape(text: str, shown: str):
    environment = {
        "OPENAI_API_KEY": "hunter22-hunter22",
        "MY_TOKEN": "abcdefghij",
        "PIN_SECRET": "123",
        "HOME": "/root",
    }
    assert without_secrets(text, environment) == shown
