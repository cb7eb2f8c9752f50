"""Fetches published artifacts with Maven, which checks their sums."""

import os
import shutil
import subprocess
from pathlib import Path

from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.java import find_java

MAX_ATTEMPTS = 3


def fetch_artifacts(pom: Path, folder: Path, name: str) -> tuple[Path, str]:
    """Let Maven copy all artifacts of a POM into one folder; return that folder and the dependency tree."""
    maven = shutil.which("mvn")
    if maven is None:
        raise LocalOpenSearchUnavailable(
            f"Maven (mvn) is missing, and no {name} is in the cache: install Maven, or run"
            " `python -m deploy.local install-packages` as root."
        )
    # A copy, so that Maven writes nothing into the source tree.
    copied = Path(shutil.copy(pom, folder))
    jars, tree = folder / "jars", folder / "tree.txt"
    environment = dict(os.environ)
    if "JAVA_HOME" not in environment and shutil.which("java") is None:
        environment["JAVA_HOME"] = str(find_java().home)
    command = [
        *(maven, "--batch-mode", "--strict-checksums", "--file", str(copied)),
        *("dependency:copy-dependencies", f"-DoutputDirectory={jars}"),
        *("dependency:tree", f"-DoutputFile={tree}", "-Dtokens=whitespace"),
    ]
    for _ in range(MAX_ATTEMPTS):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return jars, tree.read_text(encoding="utf-8")
    output = "\n".join(result.stdout.splitlines()[-15:])
    raise LocalOpenSearchUnavailable(f"Maven could not fetch {name}; it said:\n{output}")
