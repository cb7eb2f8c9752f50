"""Titles of documents that an older version stored: re-indexing gives them what new documents have."""

import orjson
import pytest

from indexer.archives.definition import ARCHIVE
from indexer.archives.mapping import archive_document, remap_document
from indexer.archives.parsed import ParsedDocument, Place
from indexer.archives.stored import stored_fields
from indexer.engines.port import Document
from tests.contract.shelf import arrival


def stored(title: str, text: str) -> Document:
    """A document as it was stored when a title was left out of the text that begins with the same letters."""
    new = archive_document(arrival("a/notes.txt", ParsedDocument(title, text, places=(Place(0, line=1),))), 1)
    fields = stored_fields(new.payload) | {"title": title, "places": [(0, None, None, 1)]}
    return Document(id=new.id, revision=1, text=text, payload=orjson.dumps(fields))


@pytest.mark.parametrize(
    ("title", "text", "expected", "begins"),
    [
        ("Intro", "Introduction to nets.", "Intro", "Intro\n\nIntroduction"),
        ("", "Nets\n\nText.", "Nets", "Nets\n\nText."),
        ("", "x" * 200, "notes.txt", "notes.txt\n\nxxx"),
        ("Nets", "Nets\n\nText.", "Nets", "Nets\n\nText."),
    ],
)
def test_a_re_indexed_document_begins_with_its_title(title: str, text: str, expected: str, begins: str) -> None:
    remapped = remap_document(stored(title, text), ARCHIVE)
    fields = stored_fields(remapped.payload)
    assert fields["title"] == expected
    assert remapped.text.startswith(begins)
    assert fields["places"][0][0] == len(remapped.text) - len(text)
    assert remap_document(remapped, ARCHIVE) == remapped
