"""Buckets of the sandbox are listed as S3 lists them, by the client that the service uses."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import httpx
import pytest

from indexer.errors import Invalid, NotFound
from indexer.tenancy import TeamId
from mcp_server.features.quilt.arguments import ListObjects
from mcp_server.features.quilt.listing import ObjectLister
from tests.upstreams.quilt import in_memory, quilt_server
from tests.upstreams.quilt_contents import ALPHA, sample_contents
from workers.source_rights import SourceRights

CONTENTS = sample_contents()
KEYS = sorted(each.key for each in CONTENTS.objects_with(buckets=[ALPHA]))


NOTHING = SourceRights(TeamId("main"), (), None, is_restricted=True)
"""The sandbox's own buckets are open to teams that may read nothing else."""


@pytest.fixture
async def url(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    async with quilt_server(in_memory(CONTENTS)) as server:
        yield f"{server.url}/s3"


async def listed(url: str, **arguments: Any) -> Any:
    lister: Callable[..., Any] = ObjectLister(url).list
    return await asyncio.to_thread(partial(lister, NOTHING, ListObjects(bucket=ALPHA, **arguments)))


async def test_a_listing_comes_in_parts_without_credentials_and_without_what_was_deleted(url: str) -> None:
    seen: list[str] = []
    page = await listed(url, max_keys=10)
    while True:
        seen += [each["s3_uri"] for each in page["objects"]]
        if page["next_continuation_token"] is None:
            break
        page = await listed(url, max_keys=10, continuation_token=page["next_continuation_token"])
    assert len(seen) == len(set(seen)) == len(KEYS) > 20
    assert not any("withdrawn" in each for each in seen)


async def test_keys_have_a_prefix_a_size_and_a_time(url: str) -> None:
    page = await listed(url, prefix="notes/day ")
    assert [each["key"] for each in page["objects"]] == [key for key in KEYS if key.startswith("notes/day ")]
    assert page["objects"][0]["last_modified"].startswith("2024-01-")


async def test_what_is_not_there_or_cannot_be_read_is_told(url: str) -> None:
    with pytest.raises(NotFound):
        await asyncio.to_thread(ObjectLister(url).list, NOTHING, ListObjects(bucket="no-such-bucket"))
    with pytest.raises(Invalid):
        await listed(url, continuation_token="é")
    async with httpx.AsyncClient(trust_env=False) as client:
        for parameters, status in (
            ({}, 501),
            ({"list-type": "2", "delimiter": "/"}, 501),
            ({"list-type": "2", "max-keys": "many"}, 400),
        ):
            reply = await client.get(f"{url}/{ALPHA}", params=parameters)
            assert (reply.status_code, b"<Code>" in reply.content) == (status, True)
