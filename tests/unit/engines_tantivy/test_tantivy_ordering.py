import random
from collections.abc import Mapping

import pytest
from tantivy import Query

from indexer.engines.port import Document
from indexer.engines.tantivy.documents import build_document, identity_of
from indexer.engines.tantivy.schema import open_or_create_index
from indexer.engines.tantivy.search.sort import DeclaredOrder, Row
from indexer.query.ast import SortKey
from indexer.schema.definition import IndexDefinition
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId

DEFINITION = IndexDefinition("local", 1, sortable={"n": "number", "s": "string", "d": "date", "b": "boolean"})
STRINGS = ("", "a", "a b", "ab", "Z", "é", "日本", "😀", "[x TO *]", "-1", "a" * 1_200, "a" * 1_100)
NUMBERS = (-1e300, -2.5, -0.0, 0.0, 1.0, 3.0, 2.0**53, 1e300)


def _sortable(chance: random.Random) -> dict[str, Scalar]:
    given: dict[str, Scalar] = {
        "n": chance.choice(NUMBERS),
        "s": chance.choice(STRINGS),
        "d": float(chance.choice((-5, 0, 1_577_836_800_000_000))),
        "b": chance.random() < 0.5,
    }
    return {name: value for name, value in given.items() if chance.random() < 0.7}


class Sorted:
    """An index of several segments, and the same documents in Python."""

    def __init__(self) -> None:
        chance = random.Random(3)
        self.values: dict[str, dict[str, Scalar]] = {
            f"d{chance.randrange(10**6)}": _sortable(chance) for _ in range(150)
        }
        self.handle = open_or_create_index(DEFINITION, None)
        rows = list(self.values.items())
        for start in range(0, len(rows), 50):
            writer = self.handle.index.writer(15_000_000, 1)
            for identity, sortable in rows[start : start + 50]:
                document = Document(DocumentId(identity), 1, "text", b"{}", sortable=sortable)
                writer.add_document(build_document(document, DEFINITION))
            writer.commit()
            writer.wait_merging_threads()
        self.handle.index.reload()
        self.searcher = self.handle.index.searcher()

    def expected(self, keys: tuple[SortKey, ...]) -> list[str]:
        ids = sorted(self.values)
        for key in reversed(keys):
            present = [identity for identity in ids if key.field in self.values[identity]]
            missing = [identity for identity in ids if key.field not in self.values[identity]]
            present.sort(key=lambda identity: _compared(self.values[identity], key.field), reverse=key.descending)
            ids = present + missing
        return ids

    def page(self, keys: tuple[SortKey, ...], size: int, after: Row | None = None) -> list[Row]:
        order = DeclaredOrder(self.handle, self.searcher, keys)
        return order.page(Query.all_query(), size, None if after is None else after.position)


def _compared(values: Mapping[str, Scalar], field: str) -> str | float:
    value = values[field]
    return value[:1_000] if isinstance(value, str) else float(value)


@pytest.fixture(scope="module")
def ordered() -> Sorted:
    return Sorted()


@pytest.mark.parametrize("size", [1, 7, 150, 1_000])
@pytest.mark.parametrize(
    "keys",
    [
        (SortKey("n", descending=False),),
        (SortKey("n", descending=True),),
        (SortKey("s", descending=False),),
        (SortKey("s", descending=True),),
        (SortKey("d", descending=True),),
        (SortKey("b", descending=False),),
        (SortKey("b", descending=True), SortKey("s", descending=False)),
        (SortKey("s", descending=True), SortKey("n", descending=True), SortKey("d", descending=False)),
    ],
)
def test_pages_of_any_size_follow_the_order_to_its_end(ordered: Sorted, keys: tuple[SortKey, ...], size: int) -> None:
    found: list[str] = []
    page = ordered.page(keys, size)
    while page:
        assert len(page) <= size
        found += [identity_of(row.stored) for row in page]
        page = ordered.page(keys, size, page[-1])
    assert found == ordered.expected(keys)
