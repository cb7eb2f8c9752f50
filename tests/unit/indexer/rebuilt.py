"""A whole rebuild in a word, and what must be there after it."""

from collections.abc import Callable

from indexer.engines.port import Target
from indexer.library import Library
from indexer.reindex.rebuild import RebuildReport, rebuild
from indexer.tenancy import PhysicalName
from tests.unit.indexer.memory_engine import MemoryWriter
from tests.unit.indexer.rebuilding import NOTES, RED


def rebuilt(library: Library, owner: str = "j_1", cancelled: Callable[[], bool] = lambda: False) -> RebuildReport:
    return rebuild(library, RED, NOTES, owner=owner, progress=lambda _: None, cancelled=cancelled)


def serving(library: Library) -> Target:
    target = library.registry.get(RED, NOTES).serving_target()
    assert target is not None
    return target


def only_the_old_is_left(library: Library, writer: MemoryWriter, old: PhysicalName) -> None:
    assert serving(library).physical == old
    assert list(writer.indices) == [old]
    assert library.registry.get(RED, NOTES).shadow is None


def at_shadow(writer: MemoryWriter, old: PhysicalName, act: Callable[[], None]) -> None:
    """Step in once, just after the shadow was first written to."""

    def after(target: Target) -> None:
        if target.physical != old:
            writer.after = lambda _: None
            act()

    writer.after = after
