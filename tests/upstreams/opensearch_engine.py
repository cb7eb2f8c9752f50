"""The sandboxes' engine port on a real OpenSearch: what it answers decides what the engine in memory must answer."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

import aiohttp
import httpx

from app.sandbox.engine.index import IndexPlan
from app.sandbox.engine.index_names import rename_indices
from app.sandbox.engine.port import BadRequest, Body

_ANALYSIS = {"analyzer": {"words": {"type": "pattern", "pattern": r"[^\p{L}\p{N}]+", "lowercase": True}}}


class OpenSearchEngine:
    """Searches indices of its own; hits tell the names that callers use."""

    def __init__(self, url: str, prefix: str) -> None:
        self._url = url
        self._prefix = prefix

    async def search(self, indices: Sequence[str], body: Body) -> Body:
        physical = {f"{self._prefix}{name}": name for name in indices}
        address = f"{self._url}/{','.join(physical)}/_search"
        # A session of its own for each request, since every test has another event loop.
        async with aiohttp.ClientSession() as session, session.post(address, json=body) as reply:
            answer: Body = await reply.json()
            if reply.status >= 400:
                raise BadRequest(json.dumps(answer["error"]["root_cause"][0].get("reason", "")), reply.status)
            renamed: Body = rename_indices(answer, physical)
            return renamed


@contextmanager
def filled(url: str, plans: Iterable[IndexPlan]) -> Iterator[str]:
    """Hold documents in indices of their own while inside; gives the prefix of their names."""
    prefix = f"sandbox-{uuid4().hex}-"
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as client:
        try:
            for plan in plans:
                _fill(client, prefix + plan.name, plan)
            yield prefix
        finally:
            client.delete(f"/{prefix}*")


def _fill(client: httpx.Client, name: str, plan: IndexPlan) -> None:
    settings = {"number_of_shards": 1, "number_of_replicas": 0, "analysis": _ANALYSIS}
    mappings = {"dynamic": True if plan.dynamic else "strict", "properties": plan.properties}
    client.put(f"/{name}", json={"settings": settings, "mappings": mappings}).raise_for_status()
    lines: list[str] = []
    for each in plan.documents:
        action = {"_id": each.id} | ({"routing": each.routing} if each.routing else {})
        lines += (json.dumps({"index": action}), json.dumps(each.source))
    for start in range(0, len(lines), 10_000):
        body = "\n".join(lines[start : start + 10_000]) + "\n"
        headers = {"content-type": "application/x-ndjson"}
        reply = client.post(f"/{name}/_bulk", content=body.encode(), headers=headers).raise_for_status().json()
        assert not reply["errors"], [each for each in reply["items"] if each["index"]["status"] >= 300][:1]
    client.post(f"/{name}/_refresh").raise_for_status()
