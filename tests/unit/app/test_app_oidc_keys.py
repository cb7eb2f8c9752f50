"""An issuer's keys: which are used, and how often the issuer is asked for them."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.auth.oidc.issuer_http import IssuerUnavailable
from app.auth.oidc.key_cache import KeyCache
from app.auth.oidc.signing_keys import SigningKeys
from tests.integration.oidc.provider import new_key

ALGORITHMS = ("RS256", "ES256", "EdDSA")


def public(key: dict[str, Any], **changed: Any) -> dict[str, Any]:
    private = {"d", "p", "q", "dp", "dq", "qi"}
    return {name: value for name, value in {**key, **changed}.items() if name not in private and value is not None}


def keys(*listed: Any) -> SigningKeys:
    return SigningKeys({"keys": list(listed)}, ALGORITHMS)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_key_serves_its_own_algorithm_alone(algorithm: str) -> None:
    key = public(new_key(algorithm))
    read = keys(key)
    assert [found.key_id for found in read.find(algorithm, key["kid"])] == [key["kid"]]
    assert [len(read.find(other, key["kid"])) for other in ALGORITHMS if other != algorithm] == [0, 0]


def test_a_token_without_a_key_id_may_be_signed_with_any_key_of_its_algorithm() -> None:
    first, second, other = public(new_key()), public(new_key(), kid=None), public(new_key("RS256"))
    assert [found.key_id for found in keys(first, second, other).find("ES256", None)] == [first["kid"], None]
    assert keys(first).find("ES256", "another") == ()


@pytest.mark.parametrize(
    "change",
    [
        {"use": "enc"},
        {"key_ops": ["encrypt"]},
        {"key_ops": "verify"},
        {"alg": "ES384"},
        {"alg": ["ES256"]},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"crv": "P-384"},
        {"crv": None},
        {"x": None},
        {"x": 7},
        {"x": "!"},
        {"y": "AAAA"},
    ],
)
def test_a_key_for_something_else_or_one_that_cannot_be_read_is_not_used(change: dict[str, Any]) -> None:
    good = public(new_key())
    read = keys(public(new_key(), kid="odd", **change) if "kid" not in change else change, good)
    assert read.find("ES256", "odd") == ()
    assert len(read.find("ES256", good["kid"])) == 1


def test_a_private_key_that_is_published_is_not_used() -> None:
    assert not keys(new_key())


@pytest.mark.parametrize("document", [{}, {"keys": None}, {"keys": {}}, {"keys": ["x", 7, None, []]}, {"keys": [{}]}])
def test_a_document_without_keys_has_none(document: dict[str, Any]) -> None:
    assert not SigningKeys(document, ALGORITHMS)


class Issuer:
    """Counts how often it is asked; may be down, and may let those who ask wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0
        self.key = public(new_key())
        self.is_down = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def load(self) -> SigningKeys:
        self.asked += 1
        await self.gate.wait()
        if self.is_down:
            raise IssuerUnavailable
        return keys(self.key)

    def cache(self) -> KeyCache:
        return KeyCache(self.load, lambda: self.now)


@pytest.fixture
async def issuer() -> Issuer:
    return Issuer()


async def settle(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - the condition is no event
            await asyncio.sleep(0)


async def test_random_key_ids_cause_one_request_in_five_seconds(issuer: Issuer) -> None:
    cache = issuer.cache()
    for number in range(100):
        issuer.now = number / 10
        assert await cache.find("ES256", f"invented-{number}") == ()
        assert len(await cache.find("ES256", issuer.key["kid"])) == 1
    # The first one fetched the keys and then looked for its id, as did one more in each five seconds.
    assert issuer.asked == 3


async def test_a_new_key_is_found_at_its_first_token(issuer: Issuer) -> None:
    cache = issuer.cache()
    await cache.find("ES256", issuer.key["kid"])
    first, issuer.key = issuer.key, public(new_key())
    assert len(await cache.find("ES256", issuer.key["kid"])) == 1
    assert cache.revision == 2
    assert await cache.find("ES256", first["kid"]) == ()
    assert issuer.asked == 2


async def test_those_who_come_at_once_share_one_request(issuer: Issuer) -> None:
    cache = issuer.cache()
    issuer.gate.clear()
    callers = [asyncio.create_task(cache.find("ES256", issuer.key["kid"])) for _ in range(50)]
    await settle(lambda: issuer.asked == 1)
    callers[0].cancel()
    issuer.gate.set()
    found = await asyncio.gather(*callers[1:])
    assert {len(each) for each in found} == {1}
    assert issuer.asked == 1


async def test_a_caller_that_leaves_does_not_end_the_search_for_a_new_key(issuer: Issuer) -> None:
    cache = issuer.cache()
    await cache.find("ES256", issuer.key["kid"])
    issuer.key = public(new_key())
    issuer.gate.clear()
    leaving = asyncio.create_task(cache.find("ES256", "invented"))
    await settle(lambda: issuer.asked == 2)
    leaving.cancel()
    issuer.gate.set()
    assert len(await cache.find("ES256", issuer.key["kid"])) == 1


async def test_old_keys_are_fetched_again_while_they_still_serve(issuer: Issuer) -> None:
    cache = issuer.cache()
    first = issuer.key
    await cache.find("ES256", first["kid"])
    issuer.now, issuer.key = 599.0, public(new_key())
    await cache.refresh()
    issuer.now = 601.0
    issuer.gate.clear()
    await cache.refresh()
    await cache.refresh()
    assert len(await cache.find("ES256", first["kid"])) == 1
    issuer.gate.set()
    await settle(lambda: cache.revision == 2)
    assert issuer.asked == 2
    assert await cache.find("ES256", first["kid"]) == ()


async def test_after_a_long_silence_the_first_caller_waits_for_the_keys_of_now(issuer: Issuer) -> None:
    cache = issuer.cache()
    first = issuer.key
    await cache.find("ES256", first["kid"])
    issuer.now, issuer.key = 661.0, public(new_key())
    await cache.refresh()
    assert await cache.find("ES256", first["kid"]) == ()


async def test_nobody_waits_for_an_issuer_that_is_known_to_be_down(issuer: Issuer) -> None:
    cache = issuer.cache()
    await cache.find("ES256", issuer.key["kid"])
    issuer.now, issuer.is_down = 661.0, True
    await cache.refresh()
    issuer.now = 667.0
    issuer.gate.clear()
    async with asyncio.timeout(10):
        await cache.refresh()
        assert len(await cache.find("ES256", issuer.key["kid"])) == 1
    issuer.gate.set()
    await settle(lambda: issuer.asked == 3)


async def test_keys_stay_while_the_issuer_is_down(issuer: Issuer) -> None:
    cache = issuer.cache()
    await cache.find("ES256", issuer.key["kid"])
    issuer.is_down = True
    for issuer.now in (601.0, 602.0, 607.0, 1_000_000.0):
        asked = issuer.asked
        await cache.refresh()
        assert len(await cache.find("ES256", issuer.key["kid"])) == 1
        await settle(lambda asked=asked: issuer.asked > asked or issuer.now == 602.0)
    with pytest.raises(IssuerUnavailable):
        await cache.find("ES256", "perhaps new")
    assert issuer.asked == 5


async def test_an_issuer_that_was_never_reached_is_asked_every_five_seconds(issuer: Issuer) -> None:
    cache = issuer.cache()
    issuer.is_down = True
    for issuer.now in (0.0, 1.0, 4.0, 5.0, 6.0):
        with pytest.raises(IssuerUnavailable) as failed:
            await cache.find("ES256", "any")
    assert failed.value.details == {"retry_after_s": 5.0}
    assert issuer.asked == 2
    issuer.is_down, issuer.now = False, 10.0
    assert len(await cache.find("ES256", issuer.key["kid"])) == 1


async def test_closing_ends_a_request_that_is_under_way(issuer: Issuer) -> None:
    cache = issuer.cache()
    await cache.aclose()
    issuer.gate.clear()
    caller = asyncio.create_task(cache.find("ES256", "any"))
    await settle(lambda: issuer.asked == 1)
    await cache.aclose()
    with pytest.raises(asyncio.CancelledError):
        await caller
