"""The audit trail over HTTP: who did what, in whose list it stands, and what happens while it cannot be written."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from indexer.engines.audit_port import LogEntry, LogFilter
from indexer.errors import Unavailable
from indexer.library import Library
from mcp_server.features.account.arguments import ListAudit
from mcp_server.features.account.audit import audit_page
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import modern_request

CANARY = "kittiwake"
AGENT = {"user-agent": "probe/1.0"}


async def listed(client: httpx.AsyncClient, headers: dict[str, str], **wanted: Any) -> list[dict[str, Any]]:
    """List the records of a team, but for the lists themselves."""
    answer = await client.get("/api/v1/audit", params=wanted, headers=headers)
    assert answer.status_code == 200, answer.text
    records: list[dict[str, Any]] = answer.json()["records"]
    return [record for record in records if record["operation"] != "audit_list"]


def whole(library: Library) -> list[dict[str, Any]]:
    """Return what the operator sees: the calls of all teams."""
    return [dict(record) for record in audit_page(library, None, ListAudit(limit=1_000))["records"]]


async def put(client: httpx.AsyncClient, headers: dict[str, str], id_: str = "d1") -> httpx.Response:
    return await client.put(f"/api/v1/indices/default/documents/{id_}", json={"content": CANARY}, headers=headers)


async def test_each_call_is_one_record_without_what_was_asked_or_stored(
    client: httpx.AsyncClient, issue: Issue, library: Library
) -> None:
    red = {**bearer(issue("red")), **AGENT}
    await put(client, red)
    await client.post("/api/v1/indices/default/search", json={"query": CANARY}, headers=red)
    await client.post("/api/v1/search", json={"query": CANARY}, headers=red)
    await client.get("/api/v1/indices/default/documents/none", headers=red)
    await client.delete("/api/v1/indices/default/documents/d1", headers=red)
    made = (await client.post("/api/v1/tokens", json={"scopes": ["search"], "name": "x"}, headers=red)).json()
    records = await listed(client, red)
    assert [(each["operation"], each["object"], each["outcome"], each["bytes"]) for each in reversed(records)] == [
        ("search_add_document", "default/d1", "ok", len(CANARY)),
        ("search_index", "default", "ok", 0),
        ("search_everywhere", "", "ok", 0),
        ("search_get_document", "default/none", "not_found", 0),
        ("search_delete_document", "default/d1", "ok", 0),
        ("token_create", made["id"], "ok", 0),
    ]
    for each in records:
        assert set(each) == {
            "time", "team", "subject", "client", "address", "operation", "object", "outcome", "duration_ms", "bytes"
        }  # fmt: skip
        assert (each["team"], each["subject"], each["client"]) == ("red", "token:test", "probe/1.0")
        assert each["address"] == "127.0.0.1"
    stored = library.engine.audit.find(LogFilter(), after=None, limit=1_000, newest_first=True)
    assert CANARY not in str(stored)
    assert made["token"] not in str(stored)


async def test_calls_over_mcp_and_uploads_are_recorded(client: httpx.AsyncClient, issue: Issue) -> None:
    red = bearer(issue("red"))
    headers, body = modern_request(
        "tools/call", {"name": "search_index", "arguments": {"query": CANARY, "index_name": "default"}}
    )
    await client.post("/mcp", json=body, headers={**headers, **red})
    sent = await client.post("/api/v1/archives/upload", files={"files": ("a.md", b"# A reef")}, headers=red)
    assert [(each["operation"], each["object"], each["bytes"]) for each in await listed(client, red)] == [
        ("archive_upload", sent.json()["job_id"], 8),
        ("search_index", "default", 0),
    ]


async def test_a_team_sees_its_own_records_alone(client: httpx.AsyncClient, issue: Issue) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    await put(client, red, CANARY)
    await client.get("/api/v1/indices", headers=blue)
    assert CANARY not in str(await listed(client, blue))
    assert {each["team"] for each in await listed(client, blue)} == {"blue"}
    assert {each["team"] for each in await listed(client, red, limit=1_000)} == {"red"}
    assert CANARY not in str(await listed(client, blue, subject="token:test", operation="search_add_document"))
    refused = await client.get("/api/v1/audit", headers=bearer(issue("red", "search", "write")))
    assert refused.status_code == 403


async def test_the_list_is_filtered_and_read_page_by_page(client: httpx.AsyncClient, issue: Issue) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    for number in range(7):
        await put(client, red, f"d{number}")
    await client.get("/api/v1/indices/none", headers=red)
    wanted = {"operation": "search_add_document", "limit": 3}
    pages, cursor = [], None
    while cursor is not None or not pages:
        asked = {**wanted, **({} if cursor is None else {"cursor": cursor})}
        answer = (await client.get("/api/v1/audit", params=asked, headers=red)).json()
        pages.append([each["object"] for each in answer["records"]])
        cursor = answer["next_cursor"]
        if cursor is not None:
            stolen = await client.get("/api/v1/audit", params={**asked, "cursor": cursor}, headers=blue)
            other = await client.get("/api/v1/audit", params={"cursor": cursor}, headers=red)
            assert stolen.status_code == other.status_code == 422
    assert [[name.removeprefix("default/") for name in page] for page in pages] == [
        ["d6", "d5", "d4"],
        ["d3", "d2", "d1"],
        ["d0"],
    ]
    assert [each["operation"] for each in await listed(client, red, outcome="not_found")] == ["search_describe_index"]
    newest = (await listed(client, red))[0]["time"]
    assert (await listed(client, red, since=newest))[-1]["time"] == newest
    assert len(await listed(client, red, until=newest)) == 8
    assert await listed(client, red, until="2020-01-01") == []
    assert (await client.get("/api/v1/audit", params={"since": "yesterday"}, headers=red)).status_code == 422


async def test_refused_calls_and_credentials_are_recorded_up_to_a_bound(
    client: httpx.AsyncClient, issue: Issue, library: Library
) -> None:
    red, reader = bearer(issue("red")), bearer(issue("red", "search"))
    headers, body = modern_request("tools/call", {"name": "search_delete_index", "arguments": {"index_name": "x"}})
    assert (await client.post("/mcp", json=body, headers={**headers, **reader})).status_code == 403
    assert [each["operation"] for each in await listed(client, red, outcome="authorization")] == ["search_delete_index"]
    for _ in range(30):
        assert (await put(client, reader)).status_code == 403
        assert (await client.get("/api/v1/me", headers={"authorization": "Bearer trawl_wrong"})).status_code == 401
        assert (await client.get("/api/v1/me")).status_code == 401
    records = await listed(client, red, operation="search_add_document")
    assert [each["outcome"] for each in records] == ["authorization"] * 10
    failed = [record for record in whole(library) if record["operation"] == "authenticate"]
    assert [(each["team"], each["outcome"], each["subject"]) for each in failed] == [("", "authentication", "")] * 10


async def test_a_write_is_not_run_while_it_cannot_be_recorded(
    client: httpx.AsyncClient, issue: Issue, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = bearer(issue("red"))
    await put(client, red, "before")
    with monkeypatch.context() as patched:
        patched.setattr(library.engine.audit, "append", down)
        refused = await put(client, red, "meanwhile")
        assert (refused.status_code, refused.json()["error_category"]) == (503, "unavailable")
        assert "audit" in refused.json()["error"]
        assert (await client.get("/api/v1/tokens", headers=red)).status_code == 503
        # Reads go on: their records wait for the store.
        assert (await client.get("/api/v1/indices/default/documents/meanwhile", headers=red)).status_code == 404
    records = await listed(client, red)
    assert ("search_add_document", "default/meanwhile", "unavailable") in [
        (each["operation"], each["object"], each["outcome"]) for each in records
    ]
    assert len(records) == 4
    metrics = (await client.get("/metrics", headers=red)).text
    assert "trawl_audit_failures_total" in metrics
    assert "trawl_audit_records_total" in metrics


async def test_a_write_whose_end_cannot_be_recorded_is_not_acknowledged_and_its_beginning_tells_of_it(
    client: httpx.AsyncClient, issue: Issue, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = bearer(issue("red"))
    append, calls = library.engine.audit.append, []

    def down_after_the_first(entries: Sequence[LogEntry]) -> None:
        calls.append(len(entries))
        if len(calls) > 1:
            down(entries)
        append(entries)

    with monkeypatch.context() as patched:
        patched.setattr(library.engine.audit, "append", down_after_the_first)
        answer = await put(client, red)
        assert (answer.status_code, answer.json()["error_category"]) == (503, "unavailable")
        assert "carried out" in answer.json()["error"]
        (shown,) = whole(library)
        assert (shown["operation"], shown["object"], shown["outcome"]) == (
            "search_add_document",
            "default/d1",
            "unknown",
        )
    (ended,) = await listed(client, red)
    assert (ended["operation"], ended["outcome"]) == ("search_add_document", "ok")


async def test_signed_heads_that_cannot_be_stored_count_too(
    client: httpx.AsyncClient, issue: Issue, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = bearer(issue("red"))
    await put(client, red)
    put_if = library.engine.records.put_if

    def without_heads(kind: str, *given: Any) -> Any:
        return down() if kind == "audit-heads" else put_if(kind, *given)

    with monkeypatch.context() as patched:
        patched.setattr(library.engine.records, "put_if", without_heads)
        assert (await put(client, red)).status_code == 503
    assert (await put(client, red)).status_code == 200


def down(*_: Any) -> None:
    raise Unavailable("The disk with the data folder is full", action="Free some space")
