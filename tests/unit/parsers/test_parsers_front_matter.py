import pytest

from indexer.archives.parsed import ParsedDocument
from workers.parsers.markdown.blocks import parse


def read(head: str) -> ParsedDocument:
    return parse(f"---\n{head}\n---\nThe body\n".encode())


@pytest.mark.parametrize(
    ("head", "date"),
    [
        ("date: 2025-05-20", "2025-05-20"),
        ("ms.date: 05/20/2025", "2025-05-20"),
        ('ms.date: "05/20/2025"', "2025-05-20"),
        ("Published: May 20, 2025", "2025-05-20"),
        ("updated: 2025-06-01\ncreated: 2025-05-20", "2025-05-20"),
        ("ms.date: 01/01/2020\ndate: 2025-05-20", "2025-05-20"),
        ("date: never\npublished: 2025-05-20", "2025-05-20"),
        ("date: 2025-05-20T10:00:00+02:00", "2025-05-20T08:00:00Z"),
        ("date: 2025-13-45", None),
        ("date: [2025-05-20]", "2025-05-20"),
    ],
)
def test_dates_are_made_uniform(head: str, date: str | None) -> None:
    assert read(head).date == date


@pytest.mark.parametrize(
    ("head", "authors"),
    [
        ("author: Ada Lovelace", ("Ada Lovelace",)),
        ("author: Ada Lovelace, Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("authors:\n  - Ada Lovelace\n  - 'Babbage, Charles'", ("Ada Lovelace", "Babbage, Charles")),
        ("authors:\n  - name: Ada Lovelace", ("Ada Lovelace",)),
        ("ms.author: adal", ("adal",)),
        ("author: Ada\nms.author: adal", ("Ada",)),
        ("author: null", ()),
    ],
)
def test_authors_may_be_a_list_or_have_commas(head: str, authors: tuple[str, ...]) -> None:
    assert read(head).authors == authors


def test_tags_keywords_and_categories_are_tags_once_each() -> None:
    assert read("tags: [a, b]\nkeywords: b, c\ncategories:\n- d").tags == ("a", "b", "c", "d")


def test_language_address_and_doi_are_read() -> None:
    document = read("lang: de-AT\ncanonical_url: https://example.org/a\ndoi: https://doi.org/10.1000/ABC")

    assert (document.language, document.canonical_url, document.doi) == ("de", "https://example.org/a", "10.1000/abc")


def test_plain_words_stay_words() -> None:
    assert read("title: No").title == "No"
    assert read("title: 2020").title == "2020"


def test_toml_is_read_too() -> None:
    document = parse(b'+++\ntitle = "T"\ndate = 2025-05-20\ntags = ["a"]\n+++\nBody\n')

    assert (document.title, document.date, document.tags) == ("T", "2025-05-20", ("a",))
    assert document.places[0].line == 6


def test_yaml_that_is_broken_by_a_colon_still_gives_its_simple_lines() -> None:
    document = read("title: Trawl: a search service\ndate: 2025-05-20")

    assert (document.title, document.date, document.text) == ("Trawl: a search service", "2025-05-20", "The body")


def test_a_rule_at_the_head_is_no_front_matter() -> None:
    assert parse(b"---\nJust text here\n---\nMore\n").text == "Just text here\n\nMore"


def test_a_head_that_never_ends_is_text() -> None:
    assert "title: x" in parse(b"---\ntitle: x\n\nText").text


@pytest.mark.parametrize("deep", ["[" * 50_000, "- " * 40_000 + "x", "{a: " * 20_000])
def test_deeply_nested_yaml_costs_nothing(deep: str) -> None:
    assert read(f"title: T\nx: {deep}").text.endswith("The body")


def test_yaml_that_multiplies_itself_costs_nothing() -> None:
    bomb = "a: &a [x, x, x]\n" + "".join(
        f"{name}: &{name} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    assert read(f"{bomb}title: *i\ntags: *i").title == ""
