"""Builds the sandboxes with their sample data."""

from collections.abc import Callable
from typing import Final

from aiohttp import web

from app.sandbox.declared import SandboxName
from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.osdu.partition import PARTITION
from app.sandbox.osdu.records import index_of, owners_of, viewers_of
from app.sandbox.osdu.sample import sample_records
from app.sandbox.osdu.server import OsduServer, User
from app.sandbox.quilt.indices import indices_of
from app.sandbox.quilt.sample import sample_contents
from app.sandbox.quilt.server import QuiltServer
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN, QUILT_SANDBOX_KEY


def _osdu(_url: str) -> web.Application:
    groups = ("users.datalake.viewers", viewers_of(PARTITION), owners_of(PARTITION))
    engine = MemoryEngine([index_of(sample_records())])
    return OsduServer(engine, PARTITION, {OSDU_SANDBOX_TOKEN: User("sandbox@example.com", groups)}).application()


def _quilt(url: str) -> web.Application:
    contents = sample_contents()
    server = QuiltServer(MemoryEngine(indices_of(contents)), contents, api_key=QUILT_SANDBOX_KEY)
    server.url = url
    return server.application()


APPLICATIONS: Final[dict[SandboxName, Callable[[str], web.Application]]] = {"osdu": _osdu, "quilt": _quilt}
"""Build the application of a sandbox for its address."""
