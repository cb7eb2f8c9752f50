"""IDs that search, quote_find and fetch share."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.document_ids import DocumentKey, UnknownId, decode_id

LONGEST = "ж" * 256


@pytest.mark.parametrize(
    "key",
    [
        DocumentKey("archive", None, "d_1f0088"),
        DocumentKey("indices", "default", "a/b?c#d %2F"),
        DocumentKey("indices", "project-docs_2", LONGEST),
        DocumentKey("osdu", None, "opendes:master-data--Well:1"),
        DocumentKey("quilt", None, "object/bucket/some key.csv"),
    ],
)
def test_an_id_leads_back_to_its_document_and_is_safe_in_an_address(key: DocumentKey) -> None:
    encoded = key.encode()
    assert re.fullmatch(r"[A-Za-z0-9_-]+", encoded)
    assert decode_id(encoded) == key


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=128))
def test_any_document_id_round_trips(id_: str) -> None:
    key = DocumentKey("indices", "default", id_)
    assert decode_id(key.encode()) == key


@given(st.text(max_size=60))
def test_garbage_is_no_document(text: str) -> None:
    with pytest.raises(UnknownId, match="no document"):
        decode_id(f"{text}!")


def test_another_spelling_of_an_id_is_no_document() -> None:
    encoded = DocumentKey("archive", None, "d_1f").encode()
    for other in (encoded + "=", encoded[1:], "2" + encoded[1:], encoded + "A", f" {encoded}", encoded[:-1], ""):
        with pytest.raises(UnknownId):
            decode_id(other)
