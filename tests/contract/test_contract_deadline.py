"""One deadline for all that a call asks of the engine, on both engines."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from indexer.engines.port import Reader
from indexer.errors import TimedOut
from indexer.library import Library
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.run import run
from tests.contract.caller import Caller
from tests.made_services import made_services

OPERATIONS = {operation.name: operation for operation in operations_of(FEATURES)}
TIMEOUT = 1.0
DELAY = 0.6
"""Each call of the engine is in time, two together are not."""


@dataclass(frozen=True, slots=True)
class SlowReader:
    """Takes its time before each call."""

    reader: Reader

    def __getattr__(self, name: str) -> Any:
        answer = getattr(self.reader, name)

        async def slow(*given: Any, **named: Any) -> Any:
            await asyncio.sleep(DELAY)
            return await answer(*given, **named)

        return slow


def slowed(library: Library) -> Library:
    reader = cast("Reader", SlowReader(library.engine.reader))
    return replace(library, engine=replace(library.engine, reader=reader), search_timeout=TIMEOUT)


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("search_index", {"query": "herbour", "fuzzy": True}),
        ("quote_find", {"quote": "a boat in the harbour of the town"}),
    ],
)
async def test_calls_of_the_engine_share_the_time_of_a_call(
    library: Library, caller: Caller, operation: str, arguments: dict[str, Any]
) -> None:
    await caller.add("harbour", "The boat lies in the harbour.")
    services = made_services(slowed(library))
    started = time.monotonic()
    with pytest.raises(TimedOut) as failed:
        await run(OPERATIONS[operation], services, caller.principal, arguments)
    assert time.monotonic() - started < 2 * DELAY
    assert failed.value.action
    await services.upstreams.aclose()


async def test_a_suggestion_that_takes_too_long_fails_no_search(library: Library, caller: Caller) -> None:
    await caller.add("harbour", "The boat lies in the harbour.")
    services = made_services(slowed(library))
    found = await run(OPERATIONS["search_index"], services, caller.principal, {"query": "boat herbour"})
    assert [hit["doc_id"] for hit in found["results"]] == ["harbour"]
    assert found["did_you_mean"] is None
    await services.upstreams.aclose()
