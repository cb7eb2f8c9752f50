from indexer.archives.citations.extract import MAX_CITATIONS, citations, context
from indexer.archives.citations.keys import candidates, own_keys, title_key
from indexer.archives.parsed import Link, ParsedDocument


def document(text: str, *links: Link) -> ParsedDocument:
    return ParsedDocument(title="One", text=text, links=links)


def test_a_document_is_known_by_path_address_identifier_and_title() -> None:
    keys = own_keys("root/one.md", ("https://www.example.com/one/",), "10.1000/ABC", "  The   One ")

    assert keys == [
        "p:root/one.md",
        "u:https://www.example.com/one/",
        "l:example.com/one",
        "d:10.1000/abc",
        "t:the one",
    ]


def test_a_title_has_no_key_if_it_is_blank() -> None:
    assert title_key("  ") is None


def test_candidates_stand_surest_first() -> None:
    link = Link("https://doi.org/10.1000/abc", "link", 0)

    assert [(found.key, found.confidence) for found in candidates(link, "root/a.md", None)] == [
        ("u:https://doi.org/10.1000/abc", 1.0),
        ("d:10.1000/abc", 1.0),
        ("l:doi.org/10.1000/abc", 0.9),
    ]


def test_a_wiki_link_means_a_note_beside_or_a_title() -> None:
    found = {
        candidate.key: candidate.confidence for candidate in candidates(Link("Side Scan", "wiki", 0), "r/a.md", None)
    }

    assert found["p:r/Side Scan.md"] == 1.0
    assert found["t:side scan"] == 0.6


def test_a_relative_link_of_a_fetched_page_is_an_address() -> None:
    found = candidates(Link("../b", "link", 0), None, "https://example.com/a/c")

    assert found[0].key == "u:https://example.com/b"


def test_each_target_is_cited_once_with_the_first_place_that_names_it() -> None:
    text = "See here first.\n\nAnd there again."
    parsed = document(text, Link("a.md", "link", 4), Link("./a.md", "link", 21), Link("#part", "link", 0))

    [cited] = citations(parsed, "root/one.md", None)

    assert (cited["target"], cited["context"]) == ("a.md", "See here first.")


def test_a_bare_identifier_is_shown_as_the_address_to_look_it_up_at() -> None:
    parsed = document("x", Link("10.1000/abc", "doi", 0), Link("2101.00001", "arxiv", 0))

    assert [cited["target"] for cited in citations(parsed, "r/a.md", None)] == [
        "https://doi.org/10.1000/abc",
        "https://arxiv.org/abs/2101.00001",
    ]


def test_a_page_of_links_is_bounded() -> None:
    links = [Link(f"https://example.com/{n}", "link", 0) for n in range(MAX_CITATIONS + 5)]

    assert len(citations(document("x", *links), "r/a.md", None)) == MAX_CITATIONS


def test_context_has_whole_words_of_one_paragraph() -> None:
    text = f"before\n\n{'lengthy ' * 40}HERE {'words ' * 40}\n\nafter"

    found = context(text, Link("x", "link", text.index("HERE")))

    assert "HERE" in found
    assert set(found.split()) == {"lengthy", "HERE", "words"}
    assert len(found) <= 210
