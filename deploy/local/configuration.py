"""The text of a node's configuration files."""

import json
from dataclasses import dataclass
from pathlib import Path

VECTOR_MODULE = "jdk.incubator.vector"
_LOCALE_PROVIDER_OPTION = "-Djava.locale.providers=SPI,CLDR"


@dataclass(frozen=True)
class NodePlan:
    """One node's name, folder, ports and heap; `peers` maps all nodes of the cluster to their transport ports."""

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
    """Return `opensearch.yml`. Values are written as JSON, which is valid YAML and handles quoting."""
    settings: dict[str, object] = {
        "cluster.name": plan.cluster,
        "node.name": plan.name,
        "path.data": str(plan.data),
        "path.logs": str(plan.logs),
        "network.host": "127.0.0.1",
        "http.port": plan.port,
        "transport.port": plan.transport_port,
        # By default a nearly full disk makes indices read-only.
        "cluster.routing.allocation.disk.threshold_enabled": False,
        # A test run creates at least one index per test and deletes none.
        "cluster.max_shards_per_node": 5000,
        # Tests abandon cursors, each of which holds a point in time for five minutes.
        "search.max_open_pit_context": 5000,
    }
    if len(plan.peers) == 1:
        settings["discovery.type"] = "single-node"
    else:
        settings["discovery.seed_hosts"] = [f"127.0.0.1:{port}" for port in plan.peers.values()]
        settings["cluster.initial_cluster_manager_nodes"] = list(plan.peers)
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())


def jvm_options(original: str, plan: NodePlan, *, has_vector_module: bool, knows_thai: bool) -> str:
    """Adapt the shipped `jvm.options` to the node: its heap, its paths, and only modules that this Java has.

    OpenSearch cannot create an index on a Java without Thai locale data. There it uses the locale provider in `lib/`.
    """
    lines = [
        line.replace("=logs/", f"={plan.logs}/").replace("=data", f"={plan.data}")
        for line in original.splitlines()
        if not line.startswith(("-Xms", "-Xmx")) and (has_vector_module or VECTOR_MODULE not in line)
    ]
    if not knows_thai:
        lines.append(_LOCALE_PROVIDER_OPTION)
    return "\n".join([*lines, f"-Xms{plan.heap}", f"-Xmx{plan.heap}", ""])
