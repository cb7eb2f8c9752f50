"""Sends random requests of one team and looks for traces of another: `python -m tests.teams_apart --requests N`.

It runs the service in this process, on the embedded engine, or with --opensearch URL on a cluster.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.operations import OPERATIONS
from tests.teams_apart.calls import Exchange, call_tool, over_rest
from tests.teams_apart.compare import alike, leaks
from tests.teams_apart.generate import Generator
from tests.teams_apart.world import World, two_teams

_COMPARED_SHARE = 0.25
"""The share of requests that are sent twice: with handles of the other team, and with those of nobody."""
_SHOWN = 10


@dataclass
class Findings:
    """What came of all requests."""

    requests: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    leaks: list[tuple[str, Exchange, set[str]]] = field(default_factory=list)
    differences: list[tuple[str, Exchange, Exchange]] = field(default_factory=list)
    was_changed: bool = False

    @property
    def missed(self) -> list[str]:
        """The operations that no request called: there were too few requests."""
        return [operation.name for operation in OPERATIONS if operation.name not in self.operations]

    @property
    def is_clean(self) -> bool:
        return not (self.leaks or self.differences or self.was_changed or self.missed)


async def attack(world: World, requests: int, seed: int) -> Findings:
    """Send requests of red one after the other."""
    generator, found = Generator(world, seed), Findings()
    before = await world.state_of_blue()
    while found.requests < requests:
        operation, build = generator.request()
        by_mcp = operation.text is not None and generator.chance(0.5)
        call = call_tool if by_mcp else over_rest

        async def send(handles_of: str) -> Exchange:
            handles = getattr(world, handles_of)
            exchange = await call(world, operation, build(handles))  # noqa: B023 - awaited before the next one
            found.requests += 1
            found.operations[operation.name] += 1  # noqa: B023 - as above
            found.statuses[exchange.status] += 1
            if told := leaks(exchange.answer, exchange.request, world.canaries):
                found.leaks.append((operation.name, exchange, told))  # noqa: B023 - as above
            return exchange

        theirs = await send("theirs")
        if generator.chance(_COMPARED_SHARE) and not operation.effect.changes:
            nobodys = await send("unknown")
            if alike(theirs.answer, world.theirs) != alike(nobodys.answer, world.unknown):
                found.differences.append((operation.name, theirs, nobodys))
    found.was_changed = await world.state_of_blue() != before
    return found


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opensearch", help="URL of a cluster")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = IndexerSettings(
            _env_file=None,  # type: ignore[call-arg]  # known to pydantic-settings alone
            engine="opensearch" if options.opensearch else "tantivy",
            opensearch_url=options.opensearch,
            data_dir=folder / "library",
            secret_key=SecretStr("k"),
            search_timeout=60,
        )
        library = open_library(settings)
        async with two_teams(folder, library) as world:
            started = time.monotonic()
            found = await attack(world, options.requests, options.seed)
            seconds = time.monotonic() - started
        await library.aclose()
    print(
        f"{found.requests} requests in {seconds:.0f} s on {settings.chosen_engine}, "
        f"{len(found.operations)} of {len(OPERATIONS)} operations, "
        f"statuses {dict(sorted(found.statuses.items()))}: {len(found.leaks)} leaks, "
        f"{len(found.differences)} answers that tell blue's handles from nobody's, "
        f"blue is {'changed' if found.was_changed else 'unchanged'}"
    )
    if found.missed:
        print("not called:", ", ".join(found.missed))
    for name, exchange, told in found.leaks[:_SHOWN]:
        print("leak", name, sorted(told), exchange)
    for name, *exchanges in found.differences[:_SHOWN]:
        print("difference", name, *exchanges, sep="\n  ")
    return 0 if found.is_clean else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
