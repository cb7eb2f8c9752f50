"""One OpenSearch process: configured, started as an unprivileged user, stopped by its process id."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from deploy.local.configuration import VECTOR_MODULE, NodePlan, jvm_options, settings_text
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.java import Java
from deploy.local.lifeline import Guarded
from deploy.local.places import give_to_node_user, is_root, unprivileged_ids


class Node:
    """A node that can be killed and restarted with the same ports and data."""

    def __init__(self, plan: NodePlan, home: Path, java: Java, lifeline: Path) -> None:
        self.plan = plan
        self._home = home
        self._java = java
        self._lifeline = lifeline
        self._server: Guarded | None = None
        self._configure()

    @property
    def url(self) -> str:
        return self.plan.url

    @property
    def pid(self) -> int | None:
        """The process id, or None if it is not running."""
        return self._server.pid if self._server is not None and self._server.is_running() else None

    def _configure(self) -> None:
        shipped = self._home / "config"
        for folder in (self.plan.data, self.plan.logs, self.plan.config, self.plan.folder / "tmp"):
            folder.mkdir(parents=True)
        shutil.copy(shipped / "log4j2.properties", self.plan.config)
        options = (shipped / "jvm.options").read_text(encoding="utf-8")
        has_vector_module, knows_thai = self._java.has_module(VECTOR_MODULE), self._java.knows_thai()
        (self.plan.config / "jvm.options").write_text(
            jvm_options(options, self.plan, has_vector_module=has_vector_module, knows_thai=knows_thai),
            encoding="utf-8",
        )
        (self.plan.config / "opensearch.yml").write_text(settings_text(self.plan), encoding="utf-8")
        give_to_node_user(self.plan.folder)

    def start(self) -> None:
        """Start the process without waiting until it is ready; see `wait`."""
        if self.pid is not None:
            return
        # Its guard is left where somebody else killed it.
        self.kill()
        user, group = unprivileged_ids() if is_root() else (None, None)
        with (self.plan.folder / "output.txt").open("ab") as output:
            process = subprocess.Popen(
                [str(self._home / "bin" / "opensearch")],
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "HOME": str(self.plan.folder),
                    "OPENSEARCH_JAVA_HOME": str(self._java.home),
                    "OPENSEARCH_PATH_CONF": str(self.plan.config),
                    "OPENSEARCH_TMPDIR": str(self.plan.folder / "tmp"),
                },
                cwd=self.plan.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=user,
                group=group,
                extra_groups=[] if is_root() else None,
                start_new_session=True,
            )
        self._server = Guarded(process, self._lifeline)

    def wait(self, deadline: float, nodes: int = 1) -> None:
        """Wait until the node is in a ready cluster of `nodes` nodes. `deadline` is a time of the monotonic clock."""
        path = f"/_cluster/health?wait_for_nodes=>={nodes}&wait_for_status=yellow&timeout=5s"
        while not self._is_ready(path):
            if self.pid is None:
                raise LocalOpenSearchUnavailable(f"OpenSearch ended by itself. {self._output_tail()}")
            if time.monotonic() > deadline:
                raise LocalOpenSearchUnavailable(f"OpenSearch did not answer in time. {self._output_tail()}")
            time.sleep(0.2)

    def _is_ready(self, path: str) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.plan.port, timeout=20)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            body = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError):
            return False
        finally:
            connection.close()
        return response.status == http.HTTPStatus.OK and body.get("timed_out") is False

    def _output_tail(self) -> str:
        output = self.plan.folder / "output.txt"
        lines = output.read_text(encoding="utf-8", errors="replace").splitlines() if output.exists() else []
        return "\n".join(["The end of its output:", *lines[-25:]])

    def kill(self) -> None:
        """Kill the process with SIGKILL, to simulate a crash. Its data stay."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the process gracefully. Its data stay."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self._server is not None:
            self._server.stop(number)
            self._server = None
