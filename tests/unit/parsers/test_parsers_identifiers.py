import pytest

from workers.parsers.identifiers import arxiv, doi, find_identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see 10.1000/xyz123.", [("10.1000/xyz123", "doi")]),
        ("doi:10.1002/(SICI)1097-0258(19980815)17:15<1661", [("10.1002/(sici)1097-0258(19980815)17:15", "doi")]),
        ("(10.1000/xyz)", [("10.1000/xyz", "doi")]),
        ("doi.org/10.1000/xyz", [("10.1000/xyz", "doi")]),
        ("https://doi.org/10.1000/xyz", [("https://doi.org/10.1000/xyz", "link")]),
        ("arXiv:2101.00001", [("2101.00001", "arxiv")]),
        ("ARXIV: 2101.00001v12,", [("2101.00001", "arxiv")]),
        ("arXiv:hep-th/9901001", [("hep-th/9901001", "arxiv")]),
        ("arxiv.org/abs/2101.00001", [("2101.00001", "arxiv")]),
        ("(https://en.wikipedia.org/wiki/A_(b))", [("https://en.wikipedia.org/wiki/A_(b)", "link")]),
        ("“https://example.org/a”, etc.", [("https://example.org/a", "link")]),
        ("见https://example.org/a。", [("https://example.org/a", "link")]),
        ("https://example.org/?q=a&b=c#d!", [("https://example.org/?q=a&b=c#d", "link")]),
        ("https://example.org/", [("https://example.org/", "link")]),
    ],
)
def test_identifiers_and_addresses_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(found.target, found.kind) for found in find_identifiers(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "version 10.1234 is out",
        "10.12/ab",
        "x10.1000/abc",
        "2101.00001",
        "http://",
        "https:// x",
        "awww.example",
        "10.1000/.",
    ],
)
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    assert find_identifiers(text) == []


def test_spans_cover_what_was_found() -> None:
    text = "one https://example.org/a, two 10.1000/B; three"

    assert [text[found.start : found.end] for found in find_identifiers(text)] == ["https://example.org/a", "10.1000/B"]


def test_a_whole_text_may_be_an_identifier() -> None:
    assert doi(" https://dx.doi.org/10.1000/ABC ") == "10.1000/abc"
    assert doi("see 10.1000/abc") is None
    assert arxiv("arXiv:2101.00001v2") == "2101.00001"
    assert arxiv("2101.00001") is None
