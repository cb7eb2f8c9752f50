import orjson
import pytest

from indexer.archives.parsed import Link, ParsedDocument, Place
from workers.parsers.child import wire
from workers.parsers.failures import ParseFailure

DOCUMENT = ParsedDocument(
    title="T",
    text="Some text",
    date="2025-05-20",
    authors=("Ada",),
    tags=("a", "b"),
    language="en",
    canonical_url="https://example.org",
    doi="10.1000/a",
    links=(Link("b.md", "link", 5), Link("Page", "wiki", 9)),
    places=(Place(0, 1, "H", 2), Place(5)),
)


def packed(result: ParsedDocument | ParseFailure, *, last: bool = False) -> bytes:
    return wire.encode_response(result, last=last)[wire.RESPONSE_HEADER.size :]


@pytest.mark.parametrize("result", [DOCUMENT, ParsedDocument("", "x"), ParseFailure("is encrypted")])
@pytest.mark.parametrize("last", [True, False])
def test_what_goes_in_comes_out(result: ParsedDocument | ParseFailure, last: bool) -> None:
    assert wire.decode_response(packed(result, last=last)) == (result, last)


@pytest.mark.parametrize(
    "change",
    [
        {"text": ""},
        {"text": None},
        {"text": "a\u202eb"},
        {"text": "e\u0301"},
        {"text": "a\0b"},
        {"title": 1},
        {"title": "x" * 3_000},
        {"authors": "Ada"},
        {"authors": [1]},
        {"date": ["2025"]},
        {"links": [["b.md", "link"]]},
        {"links": [["b.md", "other", 0]]},
        {"links": [["b.md", "link", 10]]},
        {"links": [["b.md", "link", -1]]},
        {"links": [["b.md", "link", True]]},
        {"links": {}},
        {"places": [[0, "1", 0, None]]},
        {"places": [[0, None, 0, -1]]},
        {"places": [[0, None, 2, None]]},
        {"places": [[0, None, None, None]]},
        {"places": [[99, None, 0, None]]},
        {"headings": ["\u202e"]},
        {"headings": None},
        {"refused": 1},
        {"refused": "x" * 1_000},
    ],
)
def test_what_no_sound_child_sends_is_refused(change: dict[str, object]) -> None:
    fields = orjson.loads(packed(DOCUMENT)) | change

    with pytest.raises(wire.MalformedResponse):
        wire.decode_response(orjson.dumps(fields))


@pytest.mark.parametrize("junk", [b"", b"[]", b"1", b"{", b"{}", b'{"text": "\\ud800"}', b"\xff"])
def test_junk_is_refused(junk: bytes) -> None:
    with pytest.raises(wire.MalformedResponse):
        wire.decode_response(junk)
