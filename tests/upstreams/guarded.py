"""`python -m tests.upstreams.guarded URL REDIS_URL NAME COUNT`: makes calls through a guard in a process of its own.

Prints what became of each as a JSON list.
"""

import asyncio
import json
import sys

from indexer.errors import PlatformError
from mcp_server.features.osdu.api.client import OsduClient
from mcp_server.features.osdu.api.failures import ERROR_MESSAGES
from mcp_server.shared import Shared
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.guard.policy import Policy
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.transport import Transport
from tests.made_services import KEY
from tests.upstreams.osdu_caller import settings

LONG = 3_600.0
POLICY = Policy(
    calls=10,
    window=LONG,
    attempts=1,
    attempt_timeout=LONG,
    deadline=LONG,
    failures=3,
    cooldown=LONG,
    longest_cooldown=LONG,
    cache_seconds=0,
)
"""Nothing ends by itself while a test runs."""
PATIENCE = 60.0


def guard_on(shared: Shared, name: str, policy: Policy = POLICY) -> Guard:
    """Make a guard whose limits have this name in Redis."""
    return Guard("osdu", policy, ERROR_MESSAGES, SharedGate(name, policy, shared), Hashes(KEY, "osdu"))


async def outcomes(url: str, redis_url: str, name: str, count: int) -> list[str]:
    shared, transport = Shared(redis_url, patience=PATIENCE), Transport(ERROR_MESSAGES)
    guard = guard_on(shared, name)
    client = OsduClient(settings(url), transport)
    seen = []
    for number in range(count):
        body = json.dumps({"kind": "*:*:*:*", "query": str(number)}).encode()
        try:
            await guard.call("team", body, lambda body=body: client.post("query", body, ""), fresh=False)
            seen.append("ok")
        except PlatformError as error:
            seen.append(error.category)
    await transport.aclose()
    await shared.aclose()
    return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(outcomes(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))))
