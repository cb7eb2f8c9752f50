from types import MappingProxyType

from indexer.engines.counts import KeyCount, Size
from indexer.engines.port import Target
from indexer.index.known_fields import KnownFields
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import PhysicalName

TARGET = Target(PhysicalName("trawl.red.notes.1"), IndexDefinition("local", 1))


class Fields:
    """A reader that only knows fields, and counts how often it is asked."""

    def __init__(self, *names: str, documents: int = 1) -> None:
        self.names = list(names)
        self.documents = documents
        self.asked = 0

    async def keys(self, _target: Target) -> list[KeyCount]:
        self.asked += 1
        return [KeyCount(name, "string", 1) for name in self.names]

    async def size(self, _target: Target) -> Size:
        return Size(self.documents, 0)


def known(reader: Fields, now: float = 0.0) -> KnownFields:
    return KnownFields(reader, now=lambda: now)  # type: ignore[arg-type]  # a reader in part


async def test_the_engine_is_asked_once_for_several_searches() -> None:
    reader = Fields("a", "b")
    fields = known(reader)
    assert await fields.names("local", TARGET, ["a"]) == ["a", "b"]
    assert await fields.names("local", TARGET, ["b"]) == ["a", "b"]
    assert reader.asked == 1


async def test_a_name_that_seems_unknown_is_looked_for_again() -> None:
    reader = Fields("a")
    fields = known(reader)
    await fields.names("local", TARGET, ["a"])
    reader.names.append("b")
    assert await fields.names("local", TARGET, ["b"]) == ["a", "b"]


async def test_what_was_learnt_is_forgotten_after_some_seconds() -> None:
    now = 0.0
    reader = Fields("a")
    fields = KnownFields(reader, now=lambda: now)  # type: ignore[arg-type]  # a reader in part
    await fields.names("local", TARGET, ["a"])
    now = 6.0
    await fields.names("local", TARGET, ["a"])
    assert reader.asked == 2


async def test_declared_fields_need_no_question() -> None:
    definition = IndexDefinition("local", 1, sortable=MappingProxyType({"year": "number"}))
    reader = Fields("a")
    declared = Target(TARGET.physical, definition)
    assert await known(reader).names("local", declared, ["year"]) == ["year"]
    assert reader.asked == 0
    assert await known(reader).names("local", declared, ["year", "a"]) == ["a", "year"]


async def test_nothing_can_be_told_of_an_empty_index_or_of_too_many_fields() -> None:
    assert await known(Fields(documents=0)).names("local", TARGET, ["a"]) is None
    assert await known(Fields(documents=1)).names("local", TARGET, ["a"]) == []
    assert await known(Fields(*(f"f{n}" for n in range(1_000)))).names("local", TARGET, ["a"]) is None


async def test_fields_that_all_indices_of_a_kind_have_need_neither_question_nor_index() -> None:
    fields = KnownFields(Fields("a"), {"archive": ("path",)})  # type: ignore[arg-type]  # a reader in part
    assert await fields.names("archive", TARGET, ["a"]) == ("path",)
    assert await fields.names("archive", None, ["a"]) == ("path",)
    assert await fields.names("local", None, ["a"]) is None
