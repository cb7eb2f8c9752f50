"""What a rebuild reports, when it refuses, and what makes it fail while the index serves on."""

from contextlib import ExitStack
from dataclasses import replace
from types import MappingProxyType

import pytest

from indexer.errors import Conflict, NotApplicable, NotFound, Unavailable
from indexer.index.registry import Registry
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.reindex.rebuild import Cancelled, RebuildReport, rebuild
from indexer.reindex.session import rebuilding
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DEFAULT_INDEX, DocumentId
from mcp_server.feature import advise
from mcp_server.features.all import FEATURES
from tests.unit.indexer.memory_engine import LOCAL, document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED, filled, old_name
from tests.unit.indexer.rebuilt import only_the_old_is_left, rebuilt, serving

NEWER = replace(LOCAL, version=2)


def upgraded(library: Library) -> Library:
    """The same data under a later version of the service."""
    return replace(library, registry=Registry(library.engine.records, {"local": NEWER}, max_indices=200))


def test_a_rebuild_reports_what_it_made_and_keeps_the_old_one_for_a_while() -> None:
    library, writer = filled()
    old = old_name(library)
    steps: list[str] = []
    parts: list[float] = []
    report = rebuild(
        library, RED, NOTES, owner="j_1", progress=parts.append, cancelled=lambda: False, reached=steps.append
    )
    record = library.registry.get(RED, NOTES)
    assert record.serving is not None
    assert report == RebuildReport(1, record.serving.number, resumed=False)
    assert steps == ["registered", "copied", "replayed", "verified", "swapped"]
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert [record.target(one.generation).physical for one in record.retired] == [old]
    assert writer.indices[serving(library).physical] == writer.indices[old]
    assert writer.aliases == {record.alias: serving(library).physical}


def test_an_index_that_was_never_written_to_has_nothing_to_do() -> None:
    library, writer, _ = memory_library()
    report = rebuild(library, RED, DEFAULT_INDEX, owner="j", progress=lambda _: None, cancelled=lambda: False)
    assert report == RebuildReport(0, None, resumed=False)
    library.registry.create(RED, NOTES, LOCAL)
    assert rebuilt(upgraded(library)).generation is None
    assert not writer.indices
    assert library.registry.get(RED, NOTES).definition == NEWER


def test_a_build_of_an_index_without_documents_is_refused() -> None:
    library, _, _ = memory_library()
    with pytest.raises(NotApplicable), rebuilding(library, RED, DEFAULT_INDEX, LOCAL, "j"):
        pass


def test_an_unknown_index_is_not_found() -> None:
    library, _, _ = memory_library()
    with pytest.raises(NotFound):
        rebuilt(library)


def test_a_new_version_is_taken_and_the_users_choices_are_kept() -> None:
    library, writer, _ = memory_library()
    chosen = IndexDefinition("local", 1, sortable=MappingProxyType({"year": "number"}))
    library.registry.create(RED, NOTES, chosen)
    given = replace(document("a", library.clock.next()), payload=b'{"year": 1999}', terms=("outdated",))
    write_documents(library, RED, NOTES, [given])
    library = upgraded(library)
    assert library.registry.outdated(library.registry.get(RED, NOTES))
    rebuilt(library)
    assert not library.registry.outdated(library.registry.get(RED, NOTES))
    assert serving(library).definition == replace(chosen, version=2)
    stored = writer.indices[serving(library).physical][DocumentId("a")]
    assert stored.revision == given.revision
    assert stored.sortable == {"year": 1999.0}
    assert stored.terms
    assert "outdated" not in stored.terms


def test_one_rebuild_at_a_time() -> None:
    library, _ = filled()
    with rebuilding(library, RED, NOTES, LOCAL, "j_1"), pytest.raises(Conflict) as refused:
        rebuilt(library, "j_2")
    assert refused.value.details == {"job_id": "j_1"}
    advise(refused.value, FEATURES)
    assert refused.value.command == 'job_status(job_id="j_1")'


def test_the_same_owner_called_again_only_reports() -> None:
    library, writer = filled()
    first = rebuilt(library)
    names = set(writer.indices)
    assert rebuilt(library) == replace(first, resumed=True)
    assert set(writer.indices) == names
    assert rebuilt(library, "j_2").generation != first.generation


def test_a_later_run_of_the_same_owner_takes_over_and_the_earlier_one_ends() -> None:
    library, writer = filled()
    with ExitStack() as first:
        build = first.enter_context(rebuilding(library, RED, NOTES, LOCAL, "j_1"))
        second = rebuilt(library)
        assert second.resumed
        assert build.shadow.physical not in writer.indices
        with pytest.raises(Conflict, match="ended from outside"):
            first.close()
    assert library.registry.get(RED, NOTES).shadow is None
    assert serving(library).physical == f"trawl.red.notes.{second.generation}"


def test_a_failed_build_of_another_owner_is_in_nobodys_way() -> None:
    library, writer = filled()
    with ExitStack() as first:
        build = first.enter_context(rebuilding(library, RED, NOTES, LOCAL, "j_1"))
        library.registry.fail_rebuild(RED, NOTES, build.generation, "disk full")
        with pytest.raises(Unavailable, match="disk full"):
            build.check()
        assert not rebuilt(library, "j_2").resumed
        library.registry.fail_rebuild(RED, NOTES, build.generation, "too late")
        with pytest.raises(Conflict):
            first.close()
    assert set(writer.indices) == {target.physical for target in library.registry.get(RED, NOTES).all_physical()}


def test_a_cancelled_rebuild_leaves_everything_as_it_was() -> None:
    library, writer = filled()
    old = old_name(library)
    for asked in range(5):
        answers = iter([False] * asked + [True] * 10)
        with pytest.raises(Cancelled):
            rebuilt(library, cancelled=answers.__next__)
        only_the_old_is_left(library, writer, old)
