from datetime import datetime

import pytest

from mcp_server.observability.index_counts import IndexCounts
from tests.contract.caller import Caller, failure_of


async def test_an_index_is_created_and_echoes_what_was_asked(caller: Caller) -> None:
    engine = caller.library.engine.name
    for at, backend in enumerate(("memory", "default", engine)):
        created = await caller.create(f"notes-{at}", backend=backend)
        assert created == {"success": True, "status": "created", "index_name": f"notes-{at}", "backend": backend}
    assert (await caller.create("plain"))["backend"] == "memory"


async def test_unknown_and_foreign_backends_are_told_apart(caller: Caller) -> None:
    failure = await failure_of(caller.create("notes", backend="elastic\nsearch"))
    assert failure["error"] == "Unknown backend: elastic\ufffdsearch"
    assert failure["error_category"] == "validation"
    foreign = {"tantivy": "opensearch", "opensearch": "tantivy"}[caller.library.engine.name]
    failure = await failure_of(caller.create("notes", backend=foreign))
    assert failure["error_category"] == "not_configured"
    assert [entry["index_name"] for entry in (await caller.indices())["indices"]] == ["default"]


async def test_a_name_can_be_taken_once(caller: Caller) -> None:
    await caller.create("notes")
    for name in ("notes", "NOTES", "default"):
        failure = await failure_of(caller.create(name))
        assert failure["error"] == f"Index already exists: {name.lower()}"
        assert failure["error_category"] == "conflict"


async def test_names_are_lowered_everywhere(caller: Caller) -> None:
    assert (await caller.create("Project_Docs"))["index_name"] == "project_docs"
    await caller.add("a", "boat", index_name="PROJECT_docs")
    assert await caller.matching("boat", index_name="project_DOCS") == {"a"}
    assert (await caller.get("a", index_name="PROJECT_DOCS"))["content"] == "boat"


@pytest.mark.parametrize(
    "name", ["", "_a", "-a", "a.b", "a/b", "a b", "a*", "é", "x" * 65, "..", "a\n", "trawl.other.default", "a,b", "İ"]
)
async def test_a_wrong_name_is_refused_everywhere(caller: Caller, name: str) -> None:
    for call in (
        caller.create(name),
        caller.add("a", "boat", index_name=name),
        caller.search("boat", index_name=name),
        caller.describe(name),
        caller.drop(name),
    ):
        assert (await failure_of(call))["error_category"] == "validation"


@pytest.mark.parametrize("name", ["a", "0", "x" * 64, "a_b-c", "9-_"])
async def test_right_names_work(caller: Caller, name: str) -> None:
    await caller.create(name)
    await caller.add("doc", "boat", index_name=name)
    assert await caller.matching("boat", index_name=name) == {"doc"}


async def test_archive_is_reserved(caller: Caller) -> None:
    for call in (
        caller.create("archive"),
        caller.create("Archive"),
        caller.add("a", "boat", index_name="archive"),
        caller.add_all([], index_name="archive"),
        caller.delete("a", index_name="archive"),
        caller.drop("archive"),
    ):
        failure = await failure_of(call)
        assert failure["error_category"] == "validation"
        assert "archive_ingest" in failure["alternatives"]
    for look in (caller.search("boat", index_name="archive"), caller.describe("archive")):
        assert "searchLocalArchives" in (await failure_of(look))["alternatives"]


async def test_the_default_index_is_there_from_the_start_and_stays(caller: Caller) -> None:
    [entry] = (await caller.indices())["indices"]
    assert entry["index_name"] == "default"
    assert (entry["documents"], entry["size_bytes"], entry["outdated"]) == (0, 0, False)
    datetime.fromisoformat(entry["created_at"])
    assert (await caller.search("boat"))["total_matches"] == 0
    failure = await failure_of(caller.drop("default"))
    assert failure["error_category"] == "validation"
    await caller.add("a", "boat")
    assert (await failure_of(caller.drop("Default")))["error_category"] == "validation"
    assert await caller.matching("boat") == {"a"}


async def test_the_list_shows_sizes_by_name(caller: Caller) -> None:
    for name in ("zebra", "apple", "empty"):
        await caller.create(name)
    await caller.fill({"a": "boat", "b": "boat"}, "zebra")
    await caller.fill({"a": "boat"}, "apple")
    await caller.delete("a", index_name="apple")
    listed = (await caller.indices())["indices"]
    assert [(entry["index_name"], entry["documents"]) for entry in listed] == [
        ("apple", 0),
        ("default", 0),
        ("empty", 0),
        ("zebra", 2),
    ]
    sizes = {entry["index_name"]: entry["size_bytes"] for entry in listed}
    assert sizes["zebra"] > 0
    assert sizes["empty"] == 0
    assert all(entry["definition_version"] >= 1 and not entry["outdated"] for entry in listed)


async def test_the_gauges_count_indices_and_documents(caller: Caller, other: Caller) -> None:
    await caller.create("notes")
    await caller.fill({"a": "boat", "b": "boat"}, "notes")
    await caller.fill({"a": "boat"})
    await other.fill({"a": "boat"})
    counts = IndexCounts(caller.library)
    for _ in range(30):  # a cluster of other tests may hold many indices
        await counts.update()
        if counts.indices:
            break
    mine, others = (caller.principal.team, "local"), (other.principal.team, "local")
    assert (counts.indices[mine], counts.documents[mine]) == (2, 3)  # type: ignore[index]  # a kind
    assert (counts.indices[others], counts.documents[others]) == (1, 1)  # type: ignore[index]  # a kind


async def test_an_unknown_index_comes_with_the_closest_names_and_a_way_out(caller: Caller) -> None:
    await caller.create("geology")
    failure = await caller.failure("boat", index_name="Geologie")
    assert failure == {
        "success": False,
        "error": "Index not found: geologie",
        "error_category": "not_found",
        "details": {"closest": ["geology"]},
        "fix": {
            "required_action": "Use one of the indices in details.closest, or create it",
            "command": 'search_create_index(index_name="geologie")',
        },
        "alternatives": {"search_list_indices": "List this team's indices"},
    }


async def test_a_deleted_index_is_gone_with_its_documents(caller: Caller) -> None:
    await caller.create("notes", tokenizer={"language": "none"})
    await caller.fill({"a": "boats"}, "notes")
    assert await caller.matching("boats", index_name="notes") == {"a"}
    assert await caller.drop("notes") == {"success": True, "status": "deleted", "index_name": "notes"}
    assert (await caller.failure("boats", index_name="notes"))["error"] == "Index not found: notes"
    await caller.create("notes")
    assert await caller.matching("*", index_name="notes") == set()
    assert (await caller.add("a", "boats", index_name="notes"))["status"] == "indexed"
    assert await caller.matching("boat", index_name="notes") == {"a"}


async def test_nothing_is_left_in_the_engine_of_a_deleted_index(caller: Caller) -> None:
    await caller.create("notes")
    await caller.add("a", "boat", index_name="notes")
    writer, prefix = caller.library.engine.writer, f"trawl.{caller.principal.team}.notes."
    assert len(writer.physical_names(prefix)) == 1
    await caller.drop("notes")
    assert writer.physical_names(prefix) == []


async def test_wrong_choices_at_creation_say_what_is_allowed(caller: Caller) -> None:
    failure = await failure_of(caller.create("notes", tokenizer={"language": "klingon"}))
    assert failure["error_category"] == "validation"
    assert "english" in failure["fix"]["required_action"]
    failure = await failure_of(caller.create("notes", sortable_fields={"": "number"}))
    assert failure["error_category"] == "validation"
    assert (await caller.create("notes", tokenizer={"language": "French"}))["success"] is True


async def test_every_language_stems_alike_and_finds_its_own_words(caller: Caller) -> None:
    for language, written, asked in [
        ("english", "running boats", "run"),
        ("french", "les chanteuses", "chanteuse"),
        ("spanish", "corriendo rápidamente", "corriendo"),
        ("italian", "cantando", "cantando"),
        ("portuguese", "correndo", "correndo"),
        ("none", "running", "running"),
    ]:
        name = f"in-{language}"
        await caller.create(name, tokenizer={"language": language})
        await caller.add("a", written, index_name=name)
        assert (language, await caller.matching(asked, index_name=name)) == (language, {"a"})
