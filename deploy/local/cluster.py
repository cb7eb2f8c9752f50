"""A cluster of local nodes on loopback that ends with the process that started it."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.local.artifacts import installation
from deploy.local.configuration import NodePlan
from deploy.local.java import Java, find_java
from deploy.local.lifeline import Lifeline
from deploy.local.node import Node
from deploy.local.places import new_node_folder
from deploy.local.ports import take_ports

START_TIMEOUT_SECONDS = 240.0
"""Generous: a loaded machine with two cores needs a minute for three nodes."""


@dataclass(frozen=True)
class Cluster:
    """Nodes that serve at `urls`. Each can be killed and restarted separately."""

    nodes: tuple[Node, ...]

    @property
    def urls(self) -> list[str]:
        return [node.url for node in self.nodes]

    @property
    def url(self) -> str:
        return self.nodes[0].url

    def start(self) -> None:
        """Start all nodes that are not running, and wait until they have formed a cluster."""
        for node in self.nodes:
            node.start()
        self.wait()

    def wait(self, timeout: float = START_TIMEOUT_SECONDS) -> None:
        deadline = time.monotonic() + timeout
        for node in self.nodes:
            node.wait(deadline, len(self.nodes))

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()


def new_cluster(
    folder: Path,
    lifeline: Path,
    *,
    nodes: int = 1,
    heap: str = "512m",
    port: int | None = None,
    java: Java | None = None,
) -> Cluster:
    """Configure a cluster in `folder` without starting it. `port` is the first node's, the other nodes follow."""
    home, java = installation(), java or find_java()
    free_ports = take_ports(2 * nodes)
    ports = free_ports[:nodes] if port is None else list(range(port, port + nodes))
    peers = {f"node-{number}": free_ports[nodes + number] for number in range(nodes)}
    plans = [
        NodePlan(
            cluster=folder.name,
            name=name,
            folder=folder / name,
            port=ports[number],
            transport_port=transport_port,
            peers=peers,
            heap=heap,
        )
        for number, (name, transport_port) in enumerate(peers.items())
    ]
    return Cluster(tuple(Node(plan, home, java, lifeline) for plan in plans))


@contextmanager
def local_cluster(
    *, nodes: int = 1, heap: str = "512m", port: int | None = None, java: Java | None = None
) -> Iterator[Cluster]:
    """Run a cluster for the duration of the block. It and its data are removed, even if this process is killed."""
    folder = new_node_folder()
    folder.chmod(0o755)
    try:
        with Lifeline(folder / "lifeline") as lifeline:
            cluster = new_cluster(folder, lifeline.path, nodes=nodes, heap=heap, port=port, java=java)
            try:
                cluster.start()
                yield cluster
            finally:
                cluster.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
