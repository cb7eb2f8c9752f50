"""`python -m tests.keeper FOLDER`: hold one OpenSearch for a whole test run, and end it with the run.

A process of its own, because with several test processes none of them lives as long as all the others.
"""

import fcntl
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock

from deploy.local.cluster import local_cluster
from deploy.local.descriptors import VERSION
from deploy.local.errors import LocalOpenSearchUnavailable

IMAGE = f"opensearchproject/opensearch:{VERSION}"


def docker_answers() -> bool:
    import docker  # noqa: PLC0415  # slow to import, and only the keeper asks

    try:
        docker.from_env(timeout=10).ping()
    except docker.errors.DockerException:
        return False
    return True


@contextmanager
def container() -> Iterator[str]:
    from testcontainers.community.opensearch import OpenSearchContainer  # noqa: PLC0415  # as above

    described = (
        OpenSearchContainer(IMAGE, initial_admin_password="Unused-Since-Security-Is-Off-1")
        .with_env("OPENSEARCH_JAVA_OPTS", "-Xms1g -Xmx1g")
        .with_env("cluster.routing.allocation.disk.threshold_enabled", "false")
        .with_env("cluster.max_shards_per_node", "5000")
    )
    with described as started:
        yield f"http://{started.get_container_host_ip()}:{started.get_exposed_port(9200)}"


@contextmanager
def local_node() -> Iterator[str]:
    with local_cluster(heap="1g") as cluster:
        yield cluster.url


@contextmanager
def opensearch() -> Iterator[str]:
    """Give a container's address where that works (an engine may lack the image), else a local node's."""
    with ExitStack() as started:
        url = None
        if docker_answers():
            try:
                url = started.enter_context(container())
            except Exception as error:  # noqa: BLE001  # whatever went wrong with Docker, the local node is the answer
                print(f"No container: {error}", flush=True)
        yield url or started.enter_context(local_node())


def tell(folder: Path, answer: dict[str, str]) -> None:
    partial = folder / "opensearch.partial"
    partial.write_text(json.dumps(answer), encoding="utf-8")
    partial.rename(folder / "opensearch.json")


def wait_for_the_end(folder: Path) -> None:
    with (folder / "lifeline").open(encoding="ascii") as lifeline:
        fcntl.flock(lifeline, fcntl.LOCK_EX)


def main(folder: Path) -> None:
    with FileLock(folder / "keeper.lock"):
        try:
            with opensearch() as url:
                tell(folder, {"url": url})
                wait_for_the_end(folder)
        except LocalOpenSearchUnavailable as error:
            tell(folder, {"missing": str(error)})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
