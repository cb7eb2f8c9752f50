"""The quota of documents and bytes: how much a team may write, on both engines."""

import asyncio
from typing import Any

import pytest

from indexer.engines.counts import Size
from indexer.errors import NotFound
from indexer.index.failures import QuotaReached
from indexer.index.quota import Quota
from indexer.index.usage import Usage
from indexer.local.additions import additions_of
from indexer.local.arguments import AddDocuments
from indexer.local.documents import add_documents
from tests.contract.caller import Caller
from tests.contract.shelf import Shelf, paper


class Writer:
    """A team that writes within its quota, as `run` lets it."""

    def __init__(self, caller: Caller, **limits: int) -> None:
        self.caller = caller
        self.quota = Quota(caller.library, Usage(caller.library), **limits)

    async def add(self, *ids: str, content: str = "a reef", index_name: str | None = None) -> dict[str, Any]:
        arguments = AddDocuments(documents=[{"doc_id": id_, "content": content} for id_ in ids], index_name=index_name)
        additions = additions_of(arguments)
        team = self.caller.principal.team
        for failure in await self.quota.failures(team, additions):
            if failure is not None:
                raise failure
        with self.quota.writing(team, additions.documents):
            return dict(await add_documents(self.caller.library, self.caller.principal, arguments))


async def refused(writer: Writer, *ids: str, **given: Any) -> dict[str, Any]:
    with pytest.raises(QuotaReached) as full:
        await writer.add(*ids, **given)
    assert full.value.category == "conflict"
    limit: dict[str, Any] = full.value.details["limit"]
    return limit


async def test_the_document_beyond_the_limit_is_refused_and_nothing_of_its_call_is_written(caller: Caller) -> None:
    writer = Writer(caller, max_documents=3)
    await writer.add("a", "b")
    assert await refused(writer, "c", "d") == {"name": "documents", "number": 3, "used": 2}
    await writer.add("c")
    assert await refused(writer, "d") == {"name": "documents", "number": 3, "used": 3}
    assert (await caller.search("reef"))["total_matches"] == 3


async def test_a_full_team_may_replace_its_documents(caller: Caller) -> None:
    writer = Writer(caller, max_documents=2)
    await writer.add("a", "b")
    assert (await writer.add("b", "a", content="a boat"))["indexed"] == 2
    await refused(writer, "a", "c")


async def test_a_team_that_has_more_than_a_lowered_limit_may_still_replace(caller: Caller) -> None:
    await Writer(caller).add("a", "b", "c")
    writer = Writer(caller, max_documents=1)
    await writer.add("a", "b", content="a boat")
    assert await refused(writer, "d") == {"name": "documents", "number": 1, "used": 3}


async def test_a_document_given_twice_counts_once(caller: Caller) -> None:
    writer = Writer(caller, max_documents=1)
    await writer.add("a", "a")
    await refused(writer, "b")


async def test_what_was_deleted_makes_room_at_once(caller: Caller) -> None:
    writer = Writer(caller, max_documents=2)
    await writer.add("a", "b")
    await refused(writer, "c")
    await caller.delete("a")
    await writer.add("c")
    await refused(writer, "d")


async def test_all_indices_and_the_archive_of_a_team_count_together(caller: Caller) -> None:
    await caller.create("notes")
    await Shelf(caller.library, caller.principal).put(paper("p/a.md"))
    writer = Writer(caller, max_documents=3)
    await writer.add("a")
    await writer.add("a", index_name="notes")
    assert await refused(writer, "b", index_name="notes") == {"name": "documents", "number": 3, "used": 3}


async def test_another_team_has_a_quota_of_its_own(caller: Caller, other: Caller) -> None:
    await Writer(caller, max_documents=1).add("a")
    await Writer(other, max_documents=1).add("a")


async def test_what_another_process_wrote_is_counted_within_seconds(caller: Caller) -> None:
    clock = [0.0]
    writer, elsewhere = Writer(caller, max_documents=10), Writer(caller, max_documents=10)
    writer.quota.usage = Usage(caller.library, now=lambda: clock[0])
    team = caller.principal.team
    assert (await writer.quota.usage.of(team)).documents == 0
    await elsewhere.add("a", "b")
    assert (await writer.quota.usage.of(team)).documents == 0, "counted a moment ago"
    clock[0] = 6.0
    assert (await writer.quota.usage.of(team)).documents == 2


async def test_what_is_being_written_counts_already(caller: Caller) -> None:
    writer = Writer(caller, max_documents=2)
    team = caller.principal.team
    with writer.quota.usage.writing(team, Size(documents=2, size_bytes=0)):
        await refused(writer, "a")
    await writer.add("a", "b")


async def test_bytes_are_limited_too(caller: Caller) -> None:
    limited = Writer(caller, max_bytes=1_000_000)
    await limited.add("a")
    limit = await refused(limited, "b", content="reef " * 250_000)
    assert (limit["name"], limit["number"]) == ("bytes", 1_000_000)
    assert 0 < limit["used"] < 1_000_000


async def test_an_index_that_is_not_there_is_told_as_such(caller: Caller) -> None:
    writer = Writer(caller, max_documents=1)
    await writer.add("a")
    with pytest.raises(NotFound):
        await writer.add("b", index_name="unheard-of")


async def test_counts_at_the_same_time_are_one_count(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    listed = caller.library.registry.stored

    def stored(prefix: str = "") -> Any:
        nonlocal counted
        counted += 1
        return listed(prefix)

    monkeypatch.setattr(caller.library.registry, "stored", stored)
    usage = Usage(caller.library)
    await asyncio.gather(*(usage.of(caller.principal.team) for _ in range(20)))
    assert counted == 1
