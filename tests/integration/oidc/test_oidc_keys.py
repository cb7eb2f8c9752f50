"""An issuer that rotates its keys, is down, or comes up late."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from indexer.library import Library
from tests.integration.oidc.conftest import bearer
from tests.integration.oidc.provider import OidcProvider, new_key, sign
from tests.service import application_in_task

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"


@pytest.fixture
async def client(tmp_path: Path, library: Library, own_provider: OidcProvider) -> AsyncIterator[httpx.AsyncClient]:
    async with application_in_task(tmp_path, library=library, auth="on", oidc_issuer=own_provider.issuer) as client:
        yield client


async def test_a_new_key_is_accepted_at_once_and_the_old_one_no_longer(
    client: httpx.AsyncClient, own_provider: OidcProvider
) -> None:
    old = own_provider.token()
    assert (await client.get(ME, headers=bearer(old))).status_code == 200
    await asyncio.to_thread(own_provider.rotate)
    assert (await client.get(ME, headers=bearer(old))).status_code == 200
    assert (await client.get(ME, headers=bearer(own_provider.token()))).status_code == 200
    refused = await client.get(ME, headers=bearer(old))
    assert (refused.status_code, refused.json()["error"]) == (401, "The token's signature cannot be verified")


async def test_while_the_issuer_is_down_its_known_keys_serve(
    client: httpx.AsyncClient, own_provider: OidcProvider
) -> None:
    assert (await client.get(ME, headers=bearer(own_provider.token()))).status_code == 200
    await asyncio.to_thread(own_provider.stop)
    assert (await client.get(ME, headers=bearer(own_provider.token(sub="ben")))).status_code == 200
    unknown = await client.get(ME, headers=bearer(sign(new_key(), own_provider.claims())))
    assert unknown.status_code == 503
    assert unknown.json()["error_category"] == "unavailable"
    assert unknown.headers["retry-after"] == "5"
    assert "www-authenticate" not in unknown.headers


async def test_an_issuer_that_comes_up_after_the_service_is_asked_again(
    client: httpx.AsyncClient, own_provider: OidcProvider
) -> None:
    await asyncio.to_thread(own_provider.stop)
    down = await client.get(ME, headers=bearer(own_provider.token()))
    assert (down.status_code, down.json()["error"]) == (503, "The sign-in service cannot be asked: it gave no answer")
    await asyncio.to_thread(own_provider.start)
    deadline = time.monotonic() + 30
    while (await client.get(ME, headers=bearer(own_provider.token()))).status_code != 200:
        assert time.monotonic() < deadline, "the issuer is not asked again"
