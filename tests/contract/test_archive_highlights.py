"""What searchLocalArchives marks on both engines: the title and passages of the body, each with its place."""

import re
from io import BytesIO
from typing import Any

import pytest
from docx import Document

from indexer.archives.incoming import IncomingDocument
from indexer.archives.parsed import ParsedDocument, Place
from indexer.archives.results import FieldHighlights
from indexer.text.marks import plain_text
from tests.contract.shelf import Shelf, arrival, paper
from tests.unit.parsers.parser_files import pdf
from workers.parsers.parse import parse_file

NOWHERE = {"page": None, "heading": None, "line": None}
FILLER = "lorem ipsum dolor sit amet " * 20


def read(path: str, data: bytes) -> IncomingDocument:
    """A file as its parser reads it."""
    parsed = parse_file(path, data)
    assert isinstance(parsed, ParsedDocument)
    return arrival(path, parsed)


async def highlights(shelf: Shelf, query: str, **arguments: Any) -> dict[str, FieldHighlights]:
    """The only hit's entries by field; each has as many locations as snippets, at most three.

    Each has a mark, but for a single passage of a text that does not match.
    """
    [hit] = (await shelf.search(query, **arguments))["results"]
    for entry in hit["highlights"]:
        assert 1 <= len(entry["snippets"]) == len(entry["locations"]) <= 3
        assert len(entry["snippets"]) == 1 or all("<mark>" in snippet for snippet in entry["snippets"])
    entries: dict[str, FieldHighlights] = {entry["field"]: entry for entry in hit["highlights"]}
    assert list(entries) == [field for field in ("title", "content") if field in entries]
    return entries


async def test_a_match_in_title_and_body_has_an_entry_for_each(shelf: Shelf) -> None:
    body = "Machine learning is a subset of artificial intelligence."
    await shelf.put(paper("a/1.md", body, title="Introduction to Machine Learning", places=(Place(0, None, "Why", 7),)))

    found = await highlights(shelf, "machine learning")

    marked = body.replace("Machine learning", "<mark>Machine learning</mark>")
    assert found["title"]["snippets"] == ["Introduction to <mark>Machine Learning</mark>"]
    assert found["title"]["locations"] == [NOWHERE]
    assert found["content"]["snippets"] == [marked]
    assert found["content"]["locations"] == [{"page": None, "heading": "Why", "line": 7}]


async def test_a_title_that_stands_in_the_text_is_no_passage_and_has_its_place(shelf: Shelf) -> None:
    source = "---\ndate: 2025-05-20\n---\n\n# Nets & boats\n\nA net.\n"
    await shelf.put(read("a/1.md", source.encode()))

    found = await highlights(shelf, "net")

    assert found["title"]["snippets"] == ["<mark>Nets</mark> &amp; boats"]
    assert found["title"]["locations"] == [{"page": None, "heading": "Nets & boats", "line": 5}]
    assert found["content"]["snippets"] == ["A <mark>net</mark>."]
    assert found["content"]["locations"] == [{"page": None, "heading": "Nets & boats", "line": 7}]


async def test_a_title_shown_below_other_text_has_its_place(shelf: Shelf) -> None:
    await shelf.put(read("a/1.md", b"A badge\n\n# Nets\n\nText."))

    assert (await highlights(shelf, "nets"))["title"]["locations"] == [{"page": None, "heading": "Nets", "line": 3}]


async def test_a_title_that_begins_a_sentence_is_part_of_the_passage(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "Nets are made of twine.", title="Nets"))

    found = await highlights(shelf, "nets")

    assert found["title"]["snippets"] == ["<mark>Nets</mark>"]
    assert found["content"]["snippets"] == ["<mark>Nets</mark> are made of twine."]


async def test_a_title_without_a_match_has_no_entry(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "Nothing about it here.", title="Bathymetry of the shelf"))

    assert list(await highlights(shelf, "nothing")) == ["content"]


async def test_a_match_in_the_title_alone_shows_how_the_text_begins_with_its_place(shelf: Shelf) -> None:
    source = f"---\ndate: 2025-05-20\n---\n\n# Bathymetry\n\n## Why & how\n\nDepths & seas.\n\n{FILLER}"
    await shelf.put(read("a/1.md", source.encode()))

    found = await highlights(shelf, "bathymetry")

    assert found["title"]["snippets"] == ["<mark>Bathymetry</mark>"]
    [opening] = found["content"]["snippets"]
    assert opening.startswith("Depths &amp; seas.")
    assert opening.endswith("…")
    assert len(opening) < 220
    assert found["content"]["locations"] == [{"page": None, "heading": "Why & how", "line": 9}]


async def test_a_title_without_text_below_has_no_passage(shelf: Shelf) -> None:
    await shelf.put(read("a/1.md", b"# Bathymetry"))

    assert list(await highlights(shelf, "bathymetry")) == ["title"]


@pytest.mark.parametrize(
    ("path", "data", "title"),
    [
        ("a/notes.txt", b"\n  Meeting   notes\nOf the krill survey", "Meeting notes"),
        ("a/2.md", b"Intro text\n\n## Krill survey\n\nText", "Krill survey"),
        ("a/long.txt", f"{FILLER}krill".encode(), "long.txt"),
        ("a/3.pdf", pdf([["Krill survey of 2021", "Nothing more"]]), "Krill survey of 2021"),
    ],
)
async def test_a_document_without_a_title_takes_its_first_heading_line_or_file_name(
    shelf: Shelf, path: str, data: bytes, title: str
) -> None:
    await shelf.put(read(path, data))

    [hit] = (await shelf.search("krill"))["results"]

    assert hit["document"]["title"] == title


async def test_a_first_line_that_serves_as_the_title_is_a_passage_too(shelf: Shelf) -> None:
    await shelf.put(read("a/notes.txt", b"One net.\nTwo boats."))

    found = await highlights(shelf, "net")

    assert found["title"]["snippets"] == ["One <mark>net</mark>."]
    assert found["content"]["snippets"] == ["One <mark>net</mark>.\nTwo boats."]
    assert found["content"]["locations"] == [{"page": None, "heading": None, "line": 1}]


async def test_a_title_that_only_begins_the_first_word_of_the_text_is_found(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "Introduction to nets.", title="Intro"))

    assert (await highlights(shelf, "intro", fuzzy=False))["title"]["snippets"] == ["<mark>Intro</mark>"]


async def test_brief_shows_one_passage_of_the_text_with_its_place(shelf: Shelf) -> None:
    body = f"krill {FILLER}\n\n{FILLER}krill {FILLER}\n\n{FILLER}krill"
    await shelf.put(paper("a/1.md", body, title="Krill"), paper("a/2.md", "Nothing else.", title="Krill swarms"))

    result = await shelf.search("krill", detail="brief")

    assert result["truncated"] is True
    for hit in result["results"]:
        [entry] = hit["highlights"]
        assert (entry["field"], len(entry["snippets"]), len(entry["locations"])) == ("content", 1, 1)
        assert len(plain_text(entry["snippets"][0])) <= 83


async def test_ids_leave_out_highlights_and_keep_what_names_a_document(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "A krill.", title="Krill"))

    result = await shelf.search("krill", detail="ids")

    assert result["truncated"] is True
    [hit] = result["results"]
    assert hit["highlights"] == []
    assert (hit["document"]["title"], hit["document"]["score"]) == ("Krill", 1.0)


@pytest.mark.parametrize("detail", ["ids", "brief", "full"])
async def test_pages_of_every_level_of_detail_follow_each_other(shelf: Shelf, detail: str) -> None:
    await shelf.put(*(paper(f"a/{n}.md", f"krill {FILLER}" * 5, title=f"Krill {n}") for n in range(7)))

    seen: list[str] = []
    cursor = None
    while cursor is not None or not seen:
        page = await shelf.search("krill", limit=3, detail=detail, max_chars=1_000, cursor=cursor)
        seen += [hit["document"]["path"] for hit in page["results"]]
        cursor = page["next_cursor"]

    assert sorted(seen) == [f"a/{n}.md" for n in range(7)]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("limits", "Rate <mark>limiting</mark> of &lt;b&gt; APIs"),
        ("limitting", "Rate <mark>limiting</mark> of &lt;b&gt; APIs"),
        ("lim*", "Rate <mark>limiting</mark> of &lt;b&gt; APIs"),
        ('"rate limiting"', "<mark>Rate limiting</mark> of &lt;b&gt; APIs"),
        ("rate-limiting -boats", "<mark>Rate limiting</mark> of &lt;b&gt; APIs"),
        ("+apis rate", "<mark>Rate</mark> limiting of &lt;b&gt; <mark>APIs</mark>"),
    ],
)
async def test_every_clause_is_marked_in_the_title(shelf: Shelf, query: str, shown: str) -> None:
    await shelf.put(paper("a/1.md", "Nothing.", title="Rate limiting of <b> APIs"))

    assert (await highlights(shelf, query))["title"]["snippets"] == [shown]


async def test_the_body_is_shown_even_below_a_long_title_full_of_matches(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", f"{FILLER}\n\nOne net.", title="net " * 60 + FILLER[:200] + "net"))

    found = await highlights(shelf, "net", fuzzy=False)

    assert plain_text(found["title"]["snippets"][0]).count("net") == 61
    assert ["One <mark>net</mark>." in snippet for snippet in found["content"]["snippets"]] == [True]


async def test_a_phrase_from_the_title_into_the_body_is_shown_in_its_parts(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "Boats lie ashore.", title="About nets"))

    found = await highlights(shelf, '"nets boats"')

    assert found["content"]["snippets"] == ["<mark>Boats</mark> lie ashore."]


async def test_each_passage_says_on_which_page_and_line_it_stands(shelf: Shelf) -> None:
    text = f"{FILLER}krill\n\n{FILLER}\n\nsecond line\nkrill {FILLER}"
    places = (Place(0, page=1, line=3), Place(text.index("second line"), page=7, line=40))
    await shelf.put(paper("a/1.md", text, title="Swarms", places=places))

    found = await highlights(shelf, "krill")

    assert sorted((place["page"], place["line"]) for place in found["content"]["locations"]) == [(1, 3), (7, 41)]


async def test_passages_with_the_same_text_stand_where_each_occurs(shelf: Shelf) -> None:
    paragraph = f"{FILLER}krill {FILLER}".strip()
    await shelf.put(read("a/notes.txt", f"{paragraph}\n\n{paragraph}\n\n\n{paragraph}".encode()))

    found = await highlights(shelf, "krill")

    assert len(set(found["content"]["snippets"])) == 1
    assert [place["line"] for place in found["content"]["locations"]] == [1, 3, 6]


def docx_of(*paragraphs: str) -> bytes:
    document, output = Document(), BytesIO()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    document.save(output)
    return output.getvalue()


HARD = '"Don\'t" <b> & it\u2019s … naïve — “a/b” 日本'
"""Characters that engines escape, or that stand for cut text in a highlight."""


@pytest.mark.parametrize(
    ("name", "data", "page"),
    [
        ("a.md", f"First\n\n- {HARD}\n- more\n- … {HARD} … krill …\n".encode(), None),
        ("a.txt", f"First\n\n{HARD}\nmore\n… {HARD} … krill …\n".encode(), None),
        ("a.html", b'<html><body>\n\n<p>First</p>\n<p>"Don\'t" &lt;b&gt; &amp;</p><p>krill\xe2\x80\xa6</p>', None),
        ("a.pdf", pdf([["First"], ["One", "two", "three", "four", '"Don\'t" <b> & krill']]), 2),
        ("a.docx", docx_of("First", "two", "three", "four", f"{HARD} krill"), None),
    ],
)
async def test_a_passage_of_every_kind_of_file_has_its_line(
    shelf: Shelf, name: str, data: bytes, page: int | None
) -> None:
    await shelf.put(read(f"notes/{name}", data))

    found = await highlights(shelf, "krill")

    line = 4 if name == "a.html" else 5
    assert found["content"]["locations"] == [{"page": page, "heading": None, "line": line}]


async def test_what_was_shortened_to_fit_keeps_snippets_and_places_together(shelf: Shelf) -> None:
    body = f"krill {FILLER}\n\n{FILLER}krill {FILLER}\n\n{FILLER}krill"
    await shelf.put(*(paper(f"a/{n}.md", body, title=f"Krill {FILLER}") for n in range(4)))

    for max_chars in range(1_000, 6_000, 500):
        found = await shelf.search("krill", max_chars=max_chars)
        assert found["truncated"] is True
        for hit in found["results"]:
            for entry in hit["highlights"]:
                assert 1 <= len(entry["snippets"]) == len(entry["locations"])


async def test_nothing_but_the_marks_is_markup(shelf: Shelf) -> None:
    await shelf.put(paper("a/1.md", "sea <script>alert(1)</script> & more", title="<b>bold</b> sea"))

    for entry in (await highlights(shelf, "sea")).values():
        [snippet] = entry["snippets"]
        assert re.findall("<[^>]*>", snippet) == ["<mark>", "</mark>"]
