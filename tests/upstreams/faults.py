"""What happens to a request instead of an answer, at test servers of upstreams."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Fault:
    status: int = 0
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    """It is not answered until the server ends."""
    hang_up: bool = False


async def broken(request: web.Request, fault: Fault, released: asyncio.Event) -> web.StreamResponse:
    """Do to a request what the fault says."""
    if fault.hang:
        await released.wait()
    if fault.hang or fault.hang_up:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()
    if isinstance(fault.body, bytes):
        return web.Response(body=fault.body, status=fault.status, headers=fault.headers)
    return web.json_response(fault.body, status=fault.status, headers=fault.headers)
