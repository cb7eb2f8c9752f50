"""Wrong tokens: how many an address may send, and whom that does not lock out."""

from collections import Counter

import pytest

from indexer.errors import RateLimited
from mcp_server.access.limits.failed_attempts import RATE, FailedAttempts, network_of
from mcp_server.access.limits.rate_limiter import RateLimiter
from mcp_server.access.token_format import new_token
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes
from tests.unit.mcp_server.limits.clock import Clock

ADDRESS = "192.0.2.1"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def attempts(clock: Clock) -> FailedAttempts:
    limiter = RateLimiter("attempts", RATE, Shared(None), Hashes(b"key", "limits"), now=clock)
    return FailedAttempts(limiter, Counter(), now=clock)


async def use_up(attempts: FailedAttempts, address: str = ADDRESS) -> RateLimited:
    for _ in range(RATE.burst):
        await attempts.failed(address)
    with pytest.raises(RateLimited) as refused:
        await attempts.failed(address)
    return refused.value


async def test_an_address_may_be_wrong_sixty_times_and_then_waits(attempts: FailedAttempts, clock: Clock) -> None:
    refused = await use_up(attempts)
    assert refused.details == {"retry_after_s": 1}
    with pytest.raises(RateLimited):
        attempts.check(new_token(), ADDRESS)
    clock.now += 1
    attempts.check(new_token(), ADDRESS)
    assert attempts._refusals == {"authentication": 2}


async def test_another_address_is_not_affected(attempts: FailedAttempts) -> None:
    await use_up(attempts)
    attempts.check(new_token(), "192.0.2.2")
    await attempts.failed("192.0.2.2")


async def test_a_token_that_was_valid_lately_is_looked_up_whoever_else_has_its_address(
    attempts: FailedAttempts, clock: Clock
) -> None:
    valid = new_token()
    attempts.succeeded(valid)
    await use_up(attempts)
    attempts.check(valid, ADDRESS)
    clock.now += 601
    await use_up(attempts)
    with pytest.raises(RateLimited):
        attempts.check(valid, ADDRESS)


async def test_a_request_without_an_address_is_not_counted(attempts: FailedAttempts) -> None:
    for _ in range(2 * RATE.burst):
        await attempts.failed("")
    attempts.check(new_token(), "")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("a socket", "a socket"),
    ],
)
def test_addresses_of_one_caller_count_together(address: str, network: str) -> None:
    assert network_of(address) == network
