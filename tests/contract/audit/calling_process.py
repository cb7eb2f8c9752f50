"""A process that makes calls until it is killed, and says which of them were acknowledged."""

import asyncio
import itertools
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from indexer.audit.trail import AuditTrail
from indexer.engines.port import Engine
from indexer.tenancy import Principal, TeamId
from mcp_server.admission import Admission
from mcp_server.audit.call_audit import CallAudit
from mcp_server.features.local.operations import OPERATIONS

WRITE = next(operation for operation in OPERATIONS if operation.name == "search_add_document")
READ = next(operation for operation in OPERATIONS if operation.name == "search_index")
CALLER = Principal(TeamId("red"), "ada", frozenset({"search", "write"}), credential="t_1")


def open_engine(name: str, place: str) -> Engine:
    """Open the engine that the test uses; its place is a folder, or an address and a prefix."""
    if name == "tantivy":
        from indexer.engines.tantivy.engine import open_engine  # noqa: PLC0415 (one engine alone is used)

        return open_engine(Path(place), search_timeout=60)
    from indexer.engines.opensearch import engine  # noqa: PLC0415 (as above)
    from indexer.engines.opensearch.connection import Connection  # noqa: PLC0415 (as above)

    url, _, own = place.rpartition("#")
    return engine.open_engine(Connection((url,), records=f"{own}-records", audit=f"{own}-log"), search_timeout=60)


async def call(admission: Admission, name: str) -> None:
    """Make a call that changes something, and say so when it is acknowledged; and one that reads."""
    async with admission.call(WRITE, CALLER) as writing:
        writing.object = name
        await admission.begin(writing)
        print(f"begun {name}", flush=True)
    print(f"done {name}", flush=True)
    async with admission.call(READ, CALLER) as reading:
        reading.object = name
        await admission.begin(reading)


async def main(name: str, place: str, process: str, callers: int) -> None:
    """Call and call."""
    engine = open_engine(name, place)
    audit = CallAudit(AuditTrail(engine.audit, engine.records, (b"the key of the service",)))
    numbers = itertools.count()

    async def caller() -> None:
        while True:
            await call(Admission(audit=audit), f"{process}-{next(numbers)}")

    async with AsyncExitStack() as ended:
        ended.callback(audit.close)
        await asyncio.gather(*(caller() for _ in range(callers)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
