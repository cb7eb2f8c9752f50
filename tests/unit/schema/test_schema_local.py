import math
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.engines.port import Document
from indexer.errors import Invalid, PlatformError
from indexer.local.definition import LOCAL, LOCAL_VERSION, local_definition
from indexer.local.mapping import MAX_CONTENT_BYTES, sortable_values, stored_document
from indexer.schema.definition import Analysis, IndexDefinition, SortType
from indexer.schema.languages import LANGUAGES
from indexer.schema.metadata_terms import keys_of, terms_of
from indexer.tenancy import DocumentId


def stored(content: str = "text", metadata: dict[str, Any] | None = None) -> Document:
    return stored_document(LOCAL, DocumentId("d"), 7, content, metadata or {})


def sortable(kind: SortType, value: Any) -> Any:
    definition = IndexDefinition(kind="local", version=1, sortable={"f": kind})
    return sortable_values(definition, {"f": value}).get("f")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_definition_holds_what_was_chosen(language: str) -> None:
    chosen = Analysis(lowercase=False, min_length=3, language=language)
    made = local_definition(chosen, {"year": "number"})
    assert (made.kind, made.version, made.analysis) == ("local", LOCAL_VERSION, chosen)
    assert dict(made.sortable) == {"year": "number"}


def test_choosing_nothing_is_the_default() -> None:
    assert local_definition(Analysis(), {}) == LOCAL


def test_an_unknown_language_is_told_the_offered_ones() -> None:
    with pytest.raises(Invalid, match="Unknown language") as refused:
        local_definition(Analysis(language="englisch"), {})
    assert refused.value.details["closest"][0] == "english"
    assert all(language in refused.value.action for language in LANGUAGES)


@pytest.mark.parametrize("name", ["", "x" * 257, "-year", "a\x00b", "\ud800"])
def test_sortable_fields_have_printable_names(name: str) -> None:
    with pytest.raises(Invalid, match="sortable_fields"):
        local_definition(Analysis(), {name: "number"})


def test_there_is_a_limit_to_sortable_fields() -> None:
    with pytest.raises(Invalid, match="Too many sortable_fields"):
        local_definition(Analysis(), {f"f{number}": "number" for number in range(33)})


def test_a_document_is_kept_normalised_with_terms_and_keys() -> None:
    metadata = {"author": "Smith", "deep": {"x": [1]}}
    document = stored("cafe\u0301", metadata)
    assert document.text == "caf\u00e9"
    assert (document.id, document.revision) == ("d", 7)
    assert orjson.loads(document.payload) == metadata
    assert document.terms == terms_of(metadata)
    assert document.keys == keys_of(metadata)


@pytest.mark.parametrize("content", ["", "  ", "\n\t\u3000"])
def test_blank_content_is_refused(content: str) -> None:
    with pytest.raises(Invalid, match=r"^Content must be a non-empty string$"):
        stored(content)


def test_content_is_limited_in_bytes() -> None:
    assert stored("x" * MAX_CONTENT_BYTES).text
    for content in ("x" * (MAX_CONTENT_BYTES + 1), "é" * (MAX_CONTENT_BYTES // 2 + 1)):
        with pytest.raises(Invalid, match="10 MB"):
            stored(content)


@pytest.mark.parametrize("metadata", [{"s": "\ud800"}, {"\ud800": 1}, {"huge": 10**400}, {"x": object()}])
def test_metadata_that_is_no_json_is_refused(metadata: dict[str, Any]) -> None:
    with pytest.raises(Invalid, match="Metadata"):
        stored(metadata=metadata)


def test_content_with_half_a_character_is_refused() -> None:
    with pytest.raises(Invalid, match="surrogate"):
        stored("a\ud800")


def test_metadata_is_limited_in_size_values_and_depth() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    for metadata, told in (
        ({"s": "x" * 1_100_000}, "1 MB"),
        ({"l": list(range(1_001))}, "too many values"),
        ({"d": deep}, "too deeply"),
    ):
        with pytest.raises(Invalid, match=told) as refused:
            stored(metadata=metadata)
        assert refused.value.action
    assert len(stored(metadata={"l": list(range(1_000))}).terms) == 1_000


def test_whole_numbers_of_any_size_are_kept() -> None:
    assert b"1" + b"0" * 30 in stored(metadata={"n": 10**30}).payload


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("number", 3, 3.0),
        ("number", "3", None),
        ("number", True, None),
        ("number", [5, "x", 2], 2.0),
        ("string", "x", "x"),
        ("string", 1, None),
        ("string", ["b", "a"], "a"),
        ("string", "x" * 300, "x" * 256),
        ("boolean", False, False),
        ("boolean", 0, None),
        ("date", "1970-01-01", 0),
        ("date", "1970-01-01T00:00:01+00:00", 1_000_000),
        ("date", "soon", None),
        ("date", 5, None),
        ("number", None, None),
        ("number", {"x": 1}, None),
        ("number", math.nan, None),
    ],
)
def test_sortable_values_are_of_the_declared_type_and_of_several_the_smallest(
    kind: SortType, value: Any, kept: Any
) -> None:
    found = sortable(kind, value)
    assert found == kept
    assert isinstance(found, bool) == isinstance(kept, bool)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(st.text(alphabet=st.characters(codec=None), max_size=50), st.dictionaries(st.text(max_size=8), json_values))
@settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=300)
def test_any_document_is_kept_or_a_failure(content: str, metadata: dict[str, Any]) -> None:
    try:
        document = stored(content, metadata)
    except PlatformError:
        return
    assert orjson.loads(document.payload).keys() == metadata.keys()
