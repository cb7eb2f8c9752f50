"""What tools, resources and routes work with; made by the application and given to `build_server`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from indexer.library import Library
from indexer.tenancy import Principal
from mcp_server.measures import Measures
from mcp_server.upstreams.opening import Upstreams
from workers.enqueue import Background

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Services:
    """Everything behind the front end."""

    library: Library
    background: Background
    upstreams: Upstreams
    measures: Measures = field(default_factory=Measures)


def on_library(
    call: Callable[[Library, Principal, A], Awaitable[R]],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Let a function of the library be a handler."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return call(services.library, principal, arguments)

    return handler


def on_background(
    call: Callable[[Background, Principal, A], R],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Let what asks about jobs be a handler: it blocks, so it runs in a thread."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return asyncio.to_thread(call, services.background, principal, arguments)

    return handler
