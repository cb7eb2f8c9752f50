"""`python -m deploy.local`: run OpenSearch in the foreground, or install what that needs."""

import argparse
import signal
import sys
from collections.abc import Sequence

from deploy.local.cluster import local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.packages import install_packages


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m deploy.local", description=__doc__)
    parser.add_argument("command", nargs="?", choices=["run", "install-packages"], default="run")
    parser.add_argument("--port", type=int, default=9200, help="the first node's; the next ones follow (9200)")
    parser.add_argument("--nodes", type=int, choices=[1, 2, 3, 4, 5], default=1, help="how many nodes (1)")
    parser.add_argument("--heap", default="512m", help="memory of each node for Java objects (512m)")
    return parser


def run(port: int, nodes: int, heap: str) -> None:
    """Run the cluster until a signal arrives. A signal also aborts a start in progress."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    print("OpenSearch is starting", flush=True)
    with local_cluster(nodes=nodes, heap=heap, port=port) as cluster:
        print("OpenSearch answers at", *cluster.urls, flush=True)
        while True:
            signal.pause()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        if options.command == "install-packages":
            install_packages()
        else:
            run(options.port, options.nodes, options.heap)
    except LocalOpenSearchUnavailable as error:
        print(error, file=sys.stderr)
        # Tests can still use Docker or a given URL, and report a missing OpenSearch themselves.
        return 0 if options.command == "install-packages" else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
