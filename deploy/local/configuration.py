"""The files in a node's configuration folder, as text."""

import json
from dataclasses import dataclass
from pathlib import Path

INCUBATING = "jdk.incubator.vector"
_LOCALES_FROM_LIB = "-Djava.locale.providers=SPI,CLDR"


@dataclass(frozen=True)
class NodePlan:
    """What one node is: its name, its folder, its ports, and the transport ports of the whole cluster."""

    cluster: str
    name: str
    folder: Path
    port: int
    transport_port: int
    peers: dict[str, int]
    heap: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def config(self) -> Path:
        return self.folder / "config"


def settings_text(plan: NodePlan) -> str:
    """Return `opensearch.yml`. JSON values are YAML values, so nothing needs quoting by hand."""
    settings: dict[str, object] = {
        "cluster.name": plan.cluster,
        "node.name": plan.name,
        "path.data": str(plan.data),
        "path.logs": str(plan.logs),
        "network.host": "127.0.0.1",
        "http.port": plan.port,
        "transport.port": plan.transport_port,
        # A laptop's full disk must not turn its indices read-only.
        "cluster.routing.allocation.disk.threshold_enabled": False,
        # A test run makes an index or more per test, and removes none.
        "cluster.max_shards_per_node": 5000,
        # Tests leave pages unread; each holds a point in time for five minutes.
        "search.max_open_pit_context": 5000,
    }
    if len(plan.peers) == 1:
        settings["discovery.type"] = "single-node"
    else:
        settings["discovery.seed_hosts"] = [f"127.0.0.1:{port}" for port in plan.peers.values()]
        settings["cluster.initial_cluster_manager_nodes"] = list(plan.peers)
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())


def jvm_options(original: str, plan: NodePlan, *, has_incubating: bool, knows_thai: bool) -> str:
    """Turn the shipped `jvm.options` into the node's: its own heap and paths, only modules that Java has.

    OpenSearch makes no index on a Java that cannot segment Thai: there the locales in its own `lib/` are asked first.
    """
    lines = [
        line.replace("=logs/", f"={plan.logs}/").replace("=data", f"={plan.data}")
        for line in original.splitlines()
        if not line.startswith(("-Xms", "-Xmx")) and (has_incubating or INCUBATING not in line)
    ]
    if not knows_thai:
        lines.append(_LOCALES_FROM_LIB)
    return "\n".join([*lines, f"-Xms{plan.heap}", f"-Xmx{plan.heap}", ""])
