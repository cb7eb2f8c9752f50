"""Servers in containers, by testcontainers, and `python -m tests.containers SESSION`, which removes them.

Only processes that hold servers import this: testcontainers is slow to import and warns of its own old parts.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docker.errors import DockerException  # type: ignore[import-untyped]  # ships no types
from testcontainers.community.opensearch import OpenSearchContainer
from testcontainers.community.redis import RedisContainer
from testcontainers.core.config import testcontainers_config
from testcontainers.core.container import DockerContainer
from testcontainers.core.docker_client import DockerClient
from testcontainers.core.labels import LABEL_SESSION_ID, SESSION_ID

from deploy.local.descriptors import VERSION
from tests.services import ServerUnavailable

OPENSEARCH_IMAGE = f"opensearchproject/opensearch:{VERSION}"
REDIS_IMAGE = "valkey/valkey:8-alpine"
ROOT = Path(__file__).parents[1]
PING_SECONDS = 10

# The reaper of testcontainers needs one more image and the engine's socket inside a container; our remover does not.
testcontainers_config.ryuk_disabled = True


def docker_answers() -> bool:
    try:
        DockerClient(timeout=PING_SECONDS).client.ping()
    except DockerException:
        return False
    return True


@contextmanager
def opensearch_container() -> Iterator[str]:
    with _removed_at_the_end():
        described = (
            OpenSearchContainer(OPENSEARCH_IMAGE)
            .with_env("OPENSEARCH_JAVA_OPTS", "-Xms1g -Xmx1g")
            # As on local nodes (deploy/local/configuration.py).
            .with_env("cluster.routing.allocation.disk.threshold_enabled", "false")
            .with_env("cluster.max_shards_per_node", "5000")
            .with_env("search.max_open_pit_context", "5000")
        )
        yield f"http://{_started(described, 9200)}"


@contextmanager
def redis_container() -> Iterator[str]:
    with _removed_at_the_end():
        yield f"redis://{_started(RedisContainer(REDIS_IMAGE), 6379)}/0"


@contextmanager
def _removed_at_the_end() -> Iterator[None]:
    """Remove the containers of this process after the block, even if the process is killed.

    The remover waits for the end of its input, which the kernel closes with this process.
    """
    remover = [sys.executable, "-m", "tests.containers", SESSION_ID]
    with subprocess.Popen(remover, cwd=ROOT, stdin=subprocess.PIPE, start_new_session=True):
        yield


def _started(container: DockerContainer, port: int) -> str:
    """Start a container, wait until its server is ready, and return its host and port."""
    try:
        container.start()
        return f"{container.get_container_host_ip()}:{container.get_exposed_port(port)}"
    except Exception as error:
        raise ServerUnavailable(f"{type(error).__name__}: {error} {_log_tail(container)}".strip()) from error


def _log_tail(container: DockerContainer) -> str:
    if container.status == "not_started":
        return ""
    told = container.get_wrapped_container().logs(tail=25).decode("utf-8", errors="replace")
    return f"The end of the container's log:\n{told}"


def remove_at_end_of_input(session: str) -> None:
    sys.stdin.read()
    engine = DockerClient().client.api
    for found in engine.containers(all=True, filters={"label": f"{LABEL_SESSION_ID}={session}"}):
        engine.remove_container(found["Id"], v=True, force=True)


if __name__ == "__main__":
    remove_at_end_of_input(sys.argv[1])
