from indexer.status import status
from tests.contract.caller import Caller, failure_of


async def test_two_teams_never_see_each_other(caller: Caller, other: Caller) -> None:
    await caller.create("secrets")
    await caller.fill({"a": ("harbour", {"owner": "red"})})
    await caller.fill({"s": ("lighthouse", {"code": "x"})}, "secrets")
    await other.fill({"b": ("boat", {"colour": "blue"})})
    assert await other.matching("harbour") == set()
    assert await other.matching("*") == {"b"}
    assert (await other.search("habrour"))["did_you_mean"] is None
    assert (await other.failure("lighthouse", index_name="secrets"))["details"] == {"closest": []}
    assert [entry["index_name"] for entry in (await other.indices())["indices"]] == ["default"]
    assert [field["name"] for field in (await other.describe())["fields"]] == ["colour"]
    assert (await other.failure("boat", filters={"owner": "red"}))["details"]["closest"] == []
    assert (await failure_of(other.get("a")))["error_category"] == "not_found"
    assert (await other.delete("a"))["status"] == "absent"
    assert (await failure_of(other.drop("secrets")))["error_category"] == "not_found"
    assert (await caller.get("a"))["content"] == "harbour"
    assert await caller.matching("lighthouse", index_name="secrets") == {"s"}


async def test_the_same_names_hold_different_things_for_two_teams(caller: Caller, other: Caller) -> None:
    await caller.create("notes", tokenizer={"language": "none"})
    await other.create("notes")
    await caller.add("a", "boats", index_name="notes")
    await other.add("a", "harbours", index_name="notes")
    assert (await caller.get("a", index_name="notes"))["content"] == "boats"
    assert await caller.matching("boat", index_name="notes") == set()
    assert await other.matching("harbour", index_name="notes") == {"a"}
    await caller.drop("notes")
    assert await other.matching("harbour", index_name="notes") == {"a"}


async def test_the_status_tells_the_engine_and_only_ones_own_indices(caller: Caller, other: Caller) -> None:
    await caller.create("one")
    told = await status(caller.library, caller.principal)
    assert told["engine"] == {"name": caller.library.engine.name, "status": "ok"}
    assert told["indices"] == 2
    assert told["versions"]["trawl"]
    assert (await status(other.library, other.principal))["indices"] == 1
