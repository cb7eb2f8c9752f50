"""`python -m tests.keeper SERVER FOLDER`: hold one server for a whole test run, and end it with the run.

A process of its own, because with several test processes none of them lives as long as all the others.
"""

import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import cast

from filelock import FileLock

from deploy.local.cluster import local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from tests.redis import redis_server
from tests.services import ServerName, ServerUnavailable, is_required


def uses_docker() -> bool:
    """Say whether servers are containers: where Docker answers, unless TRAWL_TEST_DOCKER is `off`."""
    if os.environ.get("TRAWL_TEST_DOCKER") == "off":
        return False
    from tests.containers import docker_answers  # noqa: PLC0415  # slow to import

    return docker_answers()


def container(name: ServerName) -> AbstractContextManager[str]:
    from tests.containers import opensearch_container, redis_container  # noqa: PLC0415  # as above

    return opensearch_container() if name == "opensearch" else redis_container()


@contextmanager
def local(name: ServerName) -> Iterator[str]:
    if name == "opensearch":
        with local_cluster(heap="1g") as cluster:
            yield cluster.url
    else:
        with redis_server() as server:
            yield server.url


@contextmanager
def running(name: ServerName) -> Iterator[str]:
    """Give a container's address where Docker answers, else a local server's.

    A container that does not start is a failure where servers are required. Elsewhere the local server replaces it.
    """
    with ExitStack() as started:
        url = None
        if uses_docker():
            try:
                url = started.enter_context(container(name))
            except Exception as error:
                told = f"Docker answers, but the container did not start. {error}"
                if is_required():
                    raise ServerUnavailable(f"{told}\nTRAWL_TEST_DOCKER=off uses a local server.") from error
                print(f"{told}\nA local server is used instead.", flush=True)
        yield url or started.enter_context(local(name))


def tell(folder: Path, name: ServerName, answer: dict[str, str]) -> None:
    partial = folder / f"{name}.partial"
    partial.write_text(json.dumps(answer), encoding="utf-8")
    partial.rename(folder / f"{name}.json")


def wait_for_the_end(folder: Path) -> None:
    with (folder / "lifeline").open(encoding="ascii") as lifeline:
        fcntl.flock(lifeline, fcntl.LOCK_EX)


def main(name: ServerName, folder: Path) -> None:
    with FileLock(folder / f"{name}.keeper"):
        try:
            with running(name) as url:
                tell(folder, name, {"url": url})
                wait_for_the_end(folder)
        except (LocalOpenSearchUnavailable, ServerUnavailable) as error:
            tell(folder, name, {"missing": str(error)})


if __name__ == "__main__":
    main(cast("ServerName", sys.argv[1]), Path(sys.argv[2]))
