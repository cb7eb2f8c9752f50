"""What clients of a running service see: MCP's lists, the OpenAPI document, the names of metrics, provoked failures."""

import tempfile
from pathlib import Path
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.operations import over_mcp
from tests.service import application
from tests.snapshots.provoked import OVER_HTTP, OVER_MCP, PREPARED

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")


async def interfaces() -> dict[str, Any]:
    """Return each snapshot of a service on the embedded engine, with nothing else configured."""
    with tempfile.TemporaryDirectory(prefix="trawl-snapshots-") as folder:
        async with application(Path(folder)) as client:
            for arguments in PREPARED:
                await call(client, "tools/call", arguments)
            return {
                "mcp.json": await mcp(client),
                "openapi.json": (await client.get("/openapi.json")).json(),
                "failures.json": await failures(client),
                "metrics.json": metrics((await client.get("/metrics")).text),
            }


async def mcp(client: httpx.AsyncClient) -> dict[str, Any]:
    lists: dict[str, Any] = {name: await call(client, name, {}) for name in LISTS}
    introduced = await call(client, "initialize", INITIALIZE)
    introduced["serverInfo"].pop("version")
    return {"initialize": introduced, **lists}


async def call(client: httpx.AsyncClient, method: str, params: dict[str, Any]) -> Any:
    answer = await over_mcp(client, method, params)
    return answer.get("result", answer.get("error"))


async def failures(client: httpx.AsyncClient) -> dict[str, Any]:
    over_mcp = []
    for name, arguments in OVER_MCP:
        answer = await call(client, "tools/call", {"name": name, "arguments": arguments})
        over_mcp.append({"call": name, "arguments": arguments, "answer": answer})
    over_http = []
    for method, path, given in OVER_HTTP:
        response = await client.request(method, path, **given)
        request = f"{method} {path} {given}"
        over_http.append({"request": request, "status": response.status_code, "answer": response.json()})
    return {"mcp": over_mcp, "http": over_http}


def metrics(text: str) -> list[dict[str, Any]]:
    return [
        {
            "name": family.name,
            "type": family.type,
            "help": family.documentation,
            "labels": sorted({label for sample in family.samples for label in sample.labels}),
        }
        for family in text_string_to_metric_families(text)
        if family.name.startswith("trawl_")
    ]
