"""What is shown of a document's fields."""

from typing import Any

import pytest

from indexer.query.ast import SortKey
from indexer.schema.definition import IndexDefinition
from indexer.search.sort_values import sort_values
from mcp_server.features.everywhere.details import shown_fields
from mcp_server.features.everywhere.document_fields import flattened


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"a": "x", "b": 1, "c": 1.5, "d": False}, {"a": "x", "b": 1, "c": 1.5, "d": False}),
        ({"a": None, "b": "", "c": " ", "d": [], "e": {"f": 1}, "g": [None, {}]}, {}),
        ({"a": ["x", 1, None, ["y"], {"z": 1}]}, {"a": ["x", 1]}),
        ({"a": " x\n\ty\u200b "}, {"a": "x y"}),
        ({"a": "x" * 300}, {"a": "x" * 199 + "…"}),
        ({"a": list(range(30))}, {"a": list(range(10))}),
        ({f"f{number}": number for number in range(30)}, {f"f{number}": number for number in range(12)}),
    ],
)
def test_fields_are_few_short_and_flat(fields: dict[str, Any], shown: dict[str, Any]) -> None:
    assert shown_fields(fields) == shown


def test_what_is_shown_elsewhere_is_left_out() -> None:
    fields = {"title": "Reefs", "url": "https://example.org", "year": 2020}
    assert shown_fields(fields, without=("Reefs", None)) == {"url": "https://example.org", "year": 2020}


def test_values_of_nested_objects_are_shown_by_their_paths() -> None:
    assert flattened({"a": {"b": 1, "c": ["x", "y"]}, "d": None}) == {"a.b": "1", "a.c": ["x", "y"]}


@pytest.mark.parametrize("descending", [False, True])
def test_a_declared_field_and_an_undeclared_one_compare_by_the_same_values(*, descending: bool) -> None:
    key = SortKey("on", descending)
    declared = IndexDefinition("local", 1, sortable={"on": "date"})
    undeclared = IndexDefinition("local", 1)
    for value in ("2024-01-01", ["2025-01-01", "2024-01-01"]):
        assert sort_values(declared, {"on": value}, [key]) == sort_values(undeclared, {"on": value}, [key])
    assert sort_values(declared, {"on": "soon"}, [key]) == (None,)
    assert sort_values(undeclared, {"on": "soon"}, [key]) != (None,)
    assert sort_values(undeclared, {}, [key]) == (None,)
    two, ten = (sort_values(undeclared, {"on": number}, [key])[0] or "" for number in (2, 10))
    assert two < ten
