"""Starts what a user runs, on either engine, with everything on a small disk."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deploy.local.cluster import new_cluster
from deploy.local.lifeline import Lifeline
from deploy.local.ports import take_ports
from tests.faults.notes import QUICK
from tests.faults.small_disk import NoDisk, small_disk
from tests.faults.soak.clock import Clock, shared_memory_cleaned
from tests.faults.soak.server import Server
from tests.faults.soak.stage import Stage
from tests.redis import RedisServer, redis_server

DISK_BYTES = 700_000_000
PARSE_SECONDS = "5"


@contextmanager
def staged(engine: str, folder: Path) -> Iterator[Stage]:
    """Start everything below a folder, which others may enter; it ends with the block, or with this process."""
    with ExitStack() as stack:
        stack.enter_context(shared_memory_cleaned())
        try:
            disk = stack.enter_context(small_disk(folder / "disk", DISK_BYTES, mode="755"))
        except NoDisk:
            disk = None
        (folder / "life").mkdir()
        lifeline = stack.enter_context(Lifeline(folder / "life" / "line")).path
        stage = Stage(engine, folder / "disk", is_small=disk is not None, roots=folder / "roots")
        stack.callback(stage.power_cut)
        builder = _Builder(stage, folder, lifeline)
        if engine == "opensearch":
            builder.with_opensearch(stack.enter_context(redis_server()))
        else:
            builder.embedded()
        stage.start()
        yield stage


class _Builder:
    def __init__(self, stage: Stage, folder: Path, lifeline: Path) -> None:
        self._stage = stage
        self._folder = folder
        self._lifeline = lifeline
        stage.environment = {
            **QUICK,
            "TRAWL_DATA_DIR": str(stage.data),
            "TRAWL_INGEST_ROOTS": str(stage.roots),
            "TRAWL_PARSE_SECONDS": PARSE_SECONDS,
            "TRAWL_SECRET_KEY": "k" * 32,
        }

    def embedded(self) -> None:
        """The service starts its own Redis and worker, which have its clock."""
        self._stage.webs = [self._web("web")]

    def with_opensearch(self, redis: RedisServer) -> None:
        nodes = self._stage.disk / "nodes"
        nodes.mkdir()
        self._stage.redis, self._stage.cluster = redis, new_cluster(nodes, self._lifeline)
        self._stage.environment |= {
            "TRAWL_ENGINE": "opensearch",
            "TRAWL_OPENSEARCH_URL": self._stage.cluster.url,
            "TRAWL_REDIS_URL": redis.url,
        }
        self._stage.webs = [self._web("web-1"), self._web("web-2")]
        clock = self._clock("workers")
        self._stage.workers = [self._server(name, "worker", clock) for name in ("worker-1", "worker-2")]

    def _web(self, name: str) -> Server:
        port = take_ports(1)[0]
        return self._server(name, "serve", self._clock(name), port)

    def _server(self, name: str, command: str, clock: Clock, port: int | None = None) -> Server:
        env = self._stage.environment | clock.environment
        if port is None:
            return Server(self._folder, name, command, env=env, lifeline=self._lifeline)
        env["TRAWL_PORT"] = str(port)
        return Server(self._folder, name, command, env=env, lifeline=self._lifeline, url=f"http://127.0.0.1:{port}")

    def _clock(self, name: str) -> Clock:
        clock = Clock(self._folder / f"{name}.clock")
        self._stage.clocks.append(clock)
        return clock
