"""`python -m deploy.local`: run OpenSearch in the foreground, or install what that needs."""

import argparse
import signal
import sys
from collections.abc import Sequence

from deploy.local.cluster import local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.packages import install_packages


def parser() -> argparse.ArgumentParser:
    """Describe the command's arguments."""
    described = argparse.ArgumentParser(prog="python -m deploy.local", description=__doc__)
    described.add_argument("command", nargs="?", choices=["run", "install-packages"], default="run")
    described.add_argument("--port", type=int, default=9200, help="the first node's; the next ones follow (9200)")
    described.add_argument("--nodes", type=int, choices=[1, 2, 3, 4, 5], default=1, help="how many nodes (1)")
    described.add_argument("--heap", default="512m", help="memory of each node for Java objects (512m)")
    return described


def run(port: int, nodes: int, heap: str) -> None:
    """Run until told to stop by a signal, which also ends a start that is under way."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    print("OpenSearch is starting", flush=True)
    with local_cluster(nodes=nodes, heap=heap, port=port) as cluster:
        print("OpenSearch answers at", *cluster.urls, flush=True)
        while True:
            signal.pause()


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments ask; return the exit code."""
    chosen = parser().parse_args(arguments)
    try:
        if chosen.command == "install-packages":
            install_packages()
        else:
            run(chosen.port, chosen.nodes, chosen.heap)
    except LocalOpenSearchUnavailable as error:
        print(error, file=sys.stderr)
        # Without the packages there may still be Docker or a given address; the tests say what they lack.
        return 0 if chosen.command == "install-packages" else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
