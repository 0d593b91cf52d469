"""What holds for provisions in one way of writing."""

from __future__ import annotations

import pytest

from finassay.text.canonical_provisions import canonical_provisions


@pytest.mark.parametrize(
    "text",
    [
        "Article 7(1)",
        "art. 7 (1)",
        "Article 7, paragraph 1",
        "Art. 7 para. 1",
        "paragraph 1 of Article 7",
        "paragraph (1) of the Article 7",
        "第七条第一款",
        "第7条第1款",
        "第 7 条 第 1 款",
        "第７条第１款",
        "《办法》第七条第一款规定",
    ],
)
def test_one_provision_has_one_form(text: str):
    assert canonical_provisions(text) == ("article 7(1)",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Articles 4 and 12", ("article 4", "article 12")),
        ("Article 4; Article 12; Article 4", ("article 4", "article 12")),
        ("第四条、第十二条", ("article 4", "article 12")),
        ("第七条第二款第（三）项", ("article 7(2)(3)",)),
        ("第七条第二款第三项和第八条", ("article 7(2)(3)", "article 8")),
        ("Section 12A", ("section 12a",)),
        ("Section 5(1)(a), (b)", ("section 5(1)(a)", "section 5(1)(b)")),
        ("第一百二十条", ("article 120",)),
        ("nothing of the kind", ()),
        ("", ()),
    ],
)
def test_lists_levels_and_numerals_are_read(text: str, found: tuple[str, ...]):
    assert canonical_provisions(text) == found
