"""An index that is filled, rebuilt and swapped by hand, as a re-index does it."""

from dataclasses import replace

from indexer.engines.port import Written
from indexer.index.record import Generation, RetiredGeneration, ShadowRecord
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.tenancy import DocumentId, IndexName, PhysicalName, TeamId
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, document, memory_library

RED = TeamId("red")
NOTES = IndexName("notes")
SHADOW = Generation(2, LOCAL)
SHADOW_NAME = PhysicalName("trawl.red.notes.2")
A = DocumentId("a")


def statuses(outcomes: list[Written]) -> list[str]:
    return [outcome.status for outcome in outcomes]


def build(library: Library, writer: MemoryWriter) -> None:
    """Register a shadow as a re-index does."""
    record = library.registry.change(RED, NOTES, lambda record: replace(record, shadow=ShadowRecord(SHADOW, "j_1")))
    writer.create(record.target(SHADOW), record.alias)


def swap(library: Library) -> None:
    """Let the shadow serve, and the old one retire."""
    library.registry.change(
        RED,
        NOTES,
        lambda record: replace(
            record,
            serving=SHADOW,
            shadow=None,
            retired=(RetiredGeneration(record.serving, until=2.0**40),) if record.serving else (),
        ),
    )


def filled() -> tuple[Library, MemoryWriter]:
    library, writer, _ = memory_library()
    library.registry.create(RED, NOTES, LOCAL)
    write_documents(library, RED, NOTES, [document("a", 1)])
    return library, writer


def old_name(library: Library) -> PhysicalName:
    return next(target.physical for target in library.registry.get(RED, NOTES).targets())
