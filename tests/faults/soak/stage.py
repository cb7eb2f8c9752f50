"""What a user runs, on either engine: the processes, where they answer, and the small disk with all their data."""

from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis

from app.embedded.private_redis import runtime_folder, socket_path
from deploy.local.cluster import Cluster
from tests.faults.processes import children, command_of
from tests.faults.soak.clock import Clock
from tests.faults.soak.server import Server
from tests.redis import RedisServer


@dataclass(slots=True)
class Stage:
    """The processes of one installation."""

    engine: str
    disk: Path
    """With all data."""
    is_small: bool
    """Whether the disk is one of its own, which may be filled."""
    roots: Path
    """With the folders that may be ingested."""
    environment: dict[str, str] = field(default_factory=dict)
    """The settings of all processes."""
    webs: list[Server] = field(default_factory=list)
    workers: list[Server] = field(default_factory=list)
    """Empty where the service starts its own."""
    clocks: list[Clock] = field(default_factory=list)
    redis: RedisServer | None = None
    cluster: Cluster | None = None

    @property
    def data(self) -> Path:
        return self.disk / "data"

    @property
    def servers(self) -> list[Server]:
        return [*self.webs, *self.workers]

    @property
    def urls(self) -> list[str]:
        return [web.url for web in self.webs if web.url is not None]

    def flush_redis(self) -> None:
        if self.redis is not None:
            self.redis.flush()
            return
        with Redis(unix_socket_path=str(socket_path(runtime_folder(self.data)))) as client:
            client.flushall()

    def power_cut(self) -> None:
        """Kill everything at once."""
        for server in (*self.webs, *self.workers):
            server.stop()
        for store in (self.redis, self.cluster):
            if store is not None:
                store.kill()

    def start(self) -> None:
        """Start what does not run, and wait until it answers."""
        for store in (self.redis, self.cluster):
            if store is not None:
                store.start()
        for server in (*self.workers, *self.webs):
            server.start()

    def ended(self) -> list[Server]:
        """Return the servers that should run, and do not."""
        return [server for server in self.servers if server.pid is None]

    def processes(self) -> dict[str, list[int]]:
        """Return the process ids of each kind."""
        found: dict[str, list[int]] = {}
        for server in self.servers:
            if server.pid is not None:
                _sort(server.pid, "", found)
        if self.redis is not None and self.redis.pid is not None:
            found["redis"] = [self.redis.pid]
        if self.cluster is not None and (pid := self.cluster.nodes[0].pid) is not None:
            found["opensearch"] = [pid]
        return found


def _sort(pid: int, above: str, found: dict[str, list[int]]) -> None:
    """Put a process and those below it to their kinds."""
    kind = _kind(command_of(pid), above)
    found.setdefault(kind, []).append(pid)
    for child in children(pid):
        _sort(child, kind, found)


def _kind(command: list[str], above: str) -> str:
    line = " ".join(command)
    if "child_wrapper" in line:
        return "guard"
    if "workers.parsers.child" in line:
        return "parser"
    if "redis" in line or "valkey" in line:
        return "redis"
    if " worker" in line:
        return "worker process" if above.startswith("worker") else "worker"
    return "web" if " serve" in line else "other"
