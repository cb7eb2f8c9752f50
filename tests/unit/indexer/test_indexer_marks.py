import pytest

from indexer.text.marks import join_marks, plain_text, skip_characters


@pytest.mark.parametrize(
    ("highlight", "joined"),
    [
        ("<mark>a</mark> <mark>b</mark>  <mark>c</mark>", "<mark>a b  c</mark>"),
        ("<mark>日</mark><mark>本</mark>", "<mark>日本</mark>"),
        ("<mark>a</mark> \n\t<mark>b</mark>", "<mark>a \n\tb</mark>"),
        ("<mark>a</mark>\n\n<mark>b</mark>", "<mark>a</mark>\n\n<mark>b</mark>"),
        ("<mark>a</mark>, <mark>b</mark>", "<mark>a</mark>, <mark>b</mark>"),
        ("no marks", "no marks"),
    ],
)
def test_marks_are_joined_over_blanks_within_a_paragraph(highlight: str, joined: str) -> None:
    assert join_marks(highlight) == joined


def test_the_plain_text_has_neither_marks_nor_escapes() -> None:
    assert plain_text("&lt;b&gt; &amp;amp; <mark>&#x27;it&#x27;</mark>") == "<b> &amp; 'it'"


@pytest.mark.parametrize(
    ("count", "rest"),
    [
        (0, "a &amp; <mark>bc</mark>d"),
        (1, " &amp; <mark>bc</mark>d"),
        (3, " <mark>bc</mark>d"),
        (4, "<mark>bc</mark>d"),
        (5, "<mark>c</mark>d"),
        (6, "d"),
        (7, ""),
        (9, ""),
    ],
)
def test_skipped_characters_leave_balanced_marks(count: int, rest: str) -> None:
    assert skip_characters("a &amp; <mark>bc</mark>d", count) == rest
