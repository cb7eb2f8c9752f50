"""Counts for Prometheus, of calls over HTTP and over MCP."""

from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.service import ROOT, application

CANARY = "canary_5c0d"


async def counted(client: httpx.AsyncClient) -> dict[tuple[str, ...], float]:
    """Return all samples by name and values of labels, in the labels' order; those of the process left out."""
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert CANARY not in answer.text
    return {
        (sample.name, *(sample.labels[label] for label in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if sample.name.startswith("trawl_")
    }


async def test_calls_are_counted_by_tool_and_outcome_from_both_doors(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        for name in ("default", f"{CANARY}-none"):
            await client.post(f"/api/v1/indices/{name}/search", json={"query": CANARY})
        params = {"name": "search_index", "arguments": {"query": CANARY, "k": 3}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
        assert (await client.post("/mcp", json=call, headers=headers)).status_code == 200
        counts = await counted(client)
    assert counts["trawl_tool_calls_total", "ok", "search_index"] == 2
    assert counts["trawl_tool_calls_total", "not_found", "search_index"] == 1
    assert counts["trawl_tool_seconds_total", "search_index"] > 0
    assert counts["trawl_tool_duration_seconds_count", "search_index"] == 3
    assert (
        counts["trawl_tool_duration_seconds_sum", "search_index"] == counts["trawl_tool_seconds_total", "search_index"]
    )
    buckets = {key[1]: count for key, count in counts.items() if key[0] == "trawl_tool_duration_seconds_bucket"}
    assert buckets["+Inf"] == 3
    assert sorted(buckets.values()) == [buckets[bound] for bound in sorted(buckets, key=float)]


async def test_what_goes_upstream_is_counted_by_upstream(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        await client.post("/api/v1/osdu/search", json={"query": CANARY})
        counts = await counted(client)
    assert counts["trawl_tool_calls_total", "not_configured", "search_query"] == 1
    assert {counts["trawl_upstream_requests_total", name] for name in ("osdu", "quilt", "web")} == {0}


async def test_indices_and_documents_are_gauges_by_team_and_kind(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        assert (await client.post("/api/v1/indices", json={"index_name": CANARY})).status_code == 200
        for number in range(3):
            path = f"/api/v1/indices/{CANARY}/documents/{CANARY}-{number}"
            assert (await client.put(path, json={"content": CANARY})).status_code == 200
        counts = await counted(client)
        text = (await client.get("/metrics")).text
    assert counts["trawl_indices", "local", "main"] == 2
    assert counts["trawl_documents", "local", "main"] == 3
    assert "# TYPE trawl_documents gauge" in text


async def test_a_scrape_succeeds_while_the_engine_is_away(tmp_path: Path) -> None:
    settings = IndexerSettings(
        engine="opensearch",
        opensearch_url="http://127.0.0.1:9",
        opensearch_user=None,
        opensearch_password=None,
        data_dir=tmp_path,
        secret_key=SecretStr("k"),
    )
    library = open_library(settings)
    async with application(tmp_path, library=library) as client:
        counts = await counted(client)
    await library.aclose()
    assert not [key for key in counts if key[0] in {"trawl_indices", "trawl_documents"}]
    assert ("trawl_upstream_requests_total", "web") in counts


async def test_every_family_is_documented(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        families = text_string_to_metric_families((await client.get("/metrics")).text)
    written = {"counter": "`{}_total`", "histogram": "`{}`", "gauge": "`{}`"}
    names = [written[family.type].format(family.name) for family in families if family.name.startswith("trawl_")]
    described = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert {"`trawl_tool_calls_total`", "`trawl_upstream_used_total`", "`trawl_documents`"} <= set(names)
    assert [name for name in names if name not in described] == []
