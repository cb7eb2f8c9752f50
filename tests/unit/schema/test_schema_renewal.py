"""Everything that an engine indexes can be made again from what it stores."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexer.archives.definition import ARCHIVE
from indexer.archives.mapping import archive_document
from indexer.bootstrap import REMAP
from indexer.engines.port import Document
from indexer.index.adapt import adapt_documents
from indexer.local.mapping import stored_document
from indexer.reindex.upgrade import upgrade_definition
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import DocumentId
from tests.contract.shelf import paper
from tests.unit.indexer.memory_engine import memory_library

STORE, _, _ = memory_library()

CHOSEN = IndexDefinition(
    "local",
    1,
    Analysis(lowercase=False, min_length=3, language="french"),
    MappingProxyType({"year": "number", "due": "date", "name": "string", "open": "boolean"}),
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**80), 2**80),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["2024-05-01", "2024-05-01T10:00:00Z", "ünïcode", "x" * 300]),
)
FIELDS = st.sampled_from(["year", "due", "name", "open", "other", "ключ"])
METADATA = st.dictionaries(FIELDS, st.one_of(VALUES, st.lists(VALUES, max_size=4)), max_size=6)


def bare(document: Document) -> Document:
    """What is left when only the stored parts are."""
    return replace(document, terms=(), keys=(), sortable={})


def test_a_user_keeps_what_was_chosen_and_gets_the_current_version() -> None:
    assert upgrade_definition(CHOSEN, IndexDefinition("local", 7)) == replace(CHOSEN, version=7)


def test_an_archive_is_what_the_current_definition_says() -> None:
    old = IndexDefinition("archive", 0, Analysis(language="french"), MappingProxyType({"path": "string"}))
    assert upgrade_definition(old, ARCHIVE) == ARCHIVE


@given(METADATA)
def test_a_local_document_is_made_again_as_it_was(metadata: dict[str, Any]) -> None:
    made = stored_document(CHOSEN, DocumentId("a"), 5, "text", metadata)
    assert REMAP["local"](bare(made), CHOSEN) == made
    assert adapt_documents(STORE, CHOSEN, [made]) == [made]
    assert adapt_documents(STORE, CHOSEN, [replace(made, sortable={})]) == [made]


def test_an_archive_document_is_made_again_as_it_was() -> None:
    arrival = paper("papers/a.md", "Words", links=("b.md",), authors=("Ann",), tags=("x", "y"), doi="10.1/z")
    made = archive_document(arrival, 5)
    assert REMAP["archive"](bare(made), ARCHIVE) == made
    assert len(made.terms) > 5
    assert set(made.sortable) == {"date", "title", "path"}


def test_documents_fit_every_generation_that_they_are_written_to() -> None:
    metadata = {"year": 1999, "due": "2024-05-01"}
    plain = stored_document(IndexDefinition("local", 1), DocumentId("a"), 5, "text", metadata)
    assert plain.sortable == {}
    [declared] = adapt_documents(STORE, CHOSEN, [plain])
    assert declared.sortable == {"year": 1999.0, "due": 1_714_521_600_000_000}
    by_string = replace(CHOSEN, sortable=MappingProxyType({"due": "string"}))
    [retyped] = adapt_documents(STORE, by_string, [declared])
    assert retyped.sortable == {"due": "2024-05-01"}
    archived = archive_document(paper("papers/a.md"), 5)
    older = replace(ARCHIVE, sortable=MappingProxyType({"date": "string"}))
    [again] = adapt_documents(STORE, older, [archived])
    assert again.sortable == {"date": "2025-05-20"}
