from indexer.engines.sorting import sort_matches, too_many_to_sort
from indexer.query.ast import SortKey
from indexer.schema.metadata_terms import terms_of
from indexer.tenancy import DocumentId

ROWS = {
    "number": {"x": 10},
    "small": {"x": -2.5},
    "word": {"x": "apple"},
    "date": {"x": "2024-05-20"},
    "earlier": {"x": "2023-01-01T00:00:00Z"},
    "truth": {"x": True},
    "many": {"x": ["zebra", "b"]},
    "bee": {"x": "bee"},
    "none": {"y": 1},
    "also": {},
}


def ordered(*keys: SortKey, after: list[object] | None = None) -> list[str]:
    rows = [(DocumentId(identity), terms_of(metadata)) for identity, metadata in ROWS.items()]
    return [placed.id for placed in sort_matches(rows, keys, after)]


def test_values_go_by_type_then_value_and_missing_ones_last() -> None:
    ascending = ["word", "many", "bee", "earlier", "date", "small", "number", "truth"]
    assert ordered(SortKey("x", descending=False)) == [*ascending, "also", "none"]
    assert ordered(SortKey("x", descending=True)) == [
        *("truth", "number", "small", "date", "earlier", "bee", "many", "word"),
        *("also", "none"),
    ]


def test_later_keys_break_ties_and_the_id_the_rest() -> None:
    rows = [
        (DocumentId("c"), terms_of({"x": 1, "y": 1})),
        (DocumentId("b"), terms_of({"x": 1, "y": 2})),
        (DocumentId("a"), terms_of({"x": 1, "y": 1})),
        (DocumentId("d"), terms_of({"x": 0})),
    ]
    keys = (SortKey("x", descending=True), SortKey("y", descending=True))
    assert [placed.id for placed in sort_matches(rows, keys)] == ["b", "a", "c", "d"]


def test_pages_join_to_the_whole() -> None:
    rows = [(DocumentId(identity), terms_of(metadata)) for identity, metadata in ROWS.items()]
    for descending in (False, True):
        keys = (SortKey("x", descending), SortKey("y", not descending))
        whole = sort_matches(rows, keys)
        for at, placed in enumerate(whole):
            assert sort_matches(rows, keys, placed.position) == whole[at + 1 :]


def test_a_name_that_is_part_of_another_is_another_field() -> None:
    rows = [(DocumentId("a"), terms_of({"x.y": 1})), (DocumentId("b"), terms_of({"x": 2}))]
    placed = sort_matches(rows, (SortKey("x", descending=False),))
    assert [(row.id, row.position[0] is None) for row in placed] == [("b", False), ("a", True)]


def test_too_many_says_to_declare_the_field() -> None:
    assert "sortable_fields" in too_many_to_sort("x").action
