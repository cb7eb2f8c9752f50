"""What records say about themselves, and how their text is shown."""

from typing import Any

import pytest

from mcp_server.features.archives.findings import informative_highlight
from mcp_server.features.everywhere import document_fields as stated


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({"url": "https://example.org/a"}, "https://example.org/a"),
        ({"URL": " http://example.org/a "}, "http://example.org/a"),
        ({"canonical_url": "https://example.org/b"}, "https://example.org/b"),
        ({"url": "javascript:alert(1)", "canonical_url": "https://example.org/b"}, None),
        ({"url": "example.org"}, None),
        ({"url": ["https://example.org/a"]}, None),
        ({"url": "https://example.org/" + "a" * 2_000}, None),
        ({"link": "https://example.org/a"}, None),
        ({}, None),
    ],
)
def test_an_address_is_one_of_the_web_in_a_field_of_that_name(fields: dict[str, Any], url: str | None) -> None:
    assert stated.stated_url(fields) == url


@pytest.mark.parametrize(
    "given",
    [
        "10.1234/Reef.5",
        "doi:10.1234/reef.5",
        "DOI: 10.1234/reef.5",
        "https://doi.org/10.1234/reef.5",
        "http://dx.doi.org/10.1234/REEF.5",
    ],
)
def test_a_doi_is_the_same_however_it_is_written(given: str) -> None:
    assert stated.stated_doi({"Doi": given}) == "10.1234/reef.5"


@pytest.mark.parametrize(
    "given", ["11.1234/reef", "10.1234", "see 10.1234/reef", "https://example.org/10.1234/reef", 10.1234, ""]
)
def test_what_is_no_doi_is_none(given: object) -> None:
    assert stated.stated_doi({"doi": given}) is None


def test_an_address_of_arxiv_is_known_whatever_its_form() -> None:
    abstract = stated.keys_of("https://arxiv.org/abs/2401.00001v2")
    assert abstract & stated.keys_of("https://export.arxiv.org/pdf/2401.00001.pdf")


def test_nothing_stated_is_like_nothing_else() -> None:
    assert stated.keys_of(None) == frozenset()


def test_the_first_name_that_has_text_counts() -> None:
    assert stated.text_of({"Name": "B", "TITLE": "A"}, ("title", "name")) == "A"
    assert stated.text_of({"title": " ", "name": "B"}, ("title", "name")) == "B"
    assert stated.text_of({"title": 5}, ("title", "name")) is None


def test_titles_are_one_short_line_without_hidden_characters() -> None:
    assert stated.title(" A\n\tre\u200bef\u202e ") == "A reef"
    assert len(stated.title("x" * 1_000)) == 200


def test_plain_text_is_escaped_and_cut() -> None:
    assert stated.plain("<mark>a</mark> & b") == "&lt;mark&gt;a&lt;/mark&gt; &amp; b"
    cut = stated.plain("<" * 1_000)
    assert cut == "&lt;" * 300 + "…"


def test_marks_of_highlights_stay_and_are_closed_when_cut() -> None:
    assert stated.marked("a\n<mark>reef</mark>") == "a <mark>reef</mark>"
    assert stated.marked("<mark>" + "x" * 400 + "</mark>") == "<mark>" + "x" * 300 + "</mark>…"


def test_values_come_with_their_paths() -> None:
    value = {"a": {"b": [1, {"c": "x"}]}, "d": None, "e": True}
    assert list(stated.scalars(value)) == [("a.b", "1"), ("a.b.c", "x"), ("e", "True")]


def test_deep_values_are_left_out() -> None:
    deep: Any = "x"
    for _ in range(2_000):
        deep = [deep]
    assert list(stated.scalars({"a": deep, "b": "y"})) == [("b", "y")]


def test_a_highlight_that_says_more_than_the_title_is_shown() -> None:
    title, marked = "Reef & co", "<mark>Reef</mark> &amp; co"
    assert informative_highlight((f"{marked}\n\nA <mark>reef</mark>",), title) == "A <mark>reef</mark>"
    assert informative_highlight(("<mark>Reef\nReefs</mark> grow",), "Reef") == "<mark>Reefs</mark> grow"
    assert informative_highlight((f"{marked}\n\nA shoal", "more <mark>reef</mark>"), title) == "more <mark>reef</mark>"
    assert informative_highlight((marked, "a <mark>reef</mark>"), title) == "a <mark>reef</mark>"
    assert informative_highlight((marked,), title) == marked
    assert informative_highlight((), title) == ""
