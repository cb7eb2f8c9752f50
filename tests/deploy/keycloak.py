"""A real Keycloak on loopback: fetched by Maven once, kept in the cache folder, stopped by its process id."""

import hashlib
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from filelock import FileLock

from deploy.local.java import Java, find_java
from deploy.local.lifeline import Guarded, Lifeline
from deploy.local.maven import fetch_artifacts
from deploy.local.places import cache_root
from deploy.local.ports import take_ports
from tests.service import wait_until

VERSION = "26.4.0"
POM = Path(__file__).with_name("keycloak_pom.xml")
ADMIN = "admin"
THREADS = "io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory"
START_SECONDS = 600.0


def installed_keycloak(java: Java) -> Path:
    """Return the installation's folder. The first call fetches and builds it, which takes a minute or two."""
    target = cache_root() / f"keycloak-{VERSION}-{hashlib.sha256(POM.read_bytes()).hexdigest()[:8]}"
    with FileLock(f"{target}.lock"):
        if not target.exists():
            # Assembled in a temporary folder and renamed, so that a folder of this name is always complete.
            with tempfile.TemporaryDirectory(prefix="building-", dir=target.parent) as temporary:
                _assemble(Path(temporary), java).rename(target)
    return target


def _assemble(folder: Path, java: Java) -> Path:
    jars, _ = fetch_artifacts(POM, folder, f"Keycloak {VERSION}")
    with zipfile.ZipFile(jars / f"keycloak-quarkus-dist-{VERSION}.zip") as archive:
        archive.extractall(folder)
    home = folder / f"keycloak-{VERSION}"
    built = subprocess.run(
        ["sh", home / "bin" / "kc.sh", "build", "--db=dev-mem"],
        env={"PATH": "/usr/bin:/bin", "JAVA_HOME": str(java.home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return home


@contextmanager
def running_keycloak(folder: Path) -> Iterator[str]:
    """Run a Keycloak while the block runs, and give its address."""
    java = find_java()
    # It writes into its own folder.
    home = Path(shutil.copytree(installed_keycloak(java), folder / "keycloak"))
    url = f"http://127.0.0.1:{take_ports(1)[0]}"
    with Lifeline(folder / "lifeline") as lifeline:
        server = Guarded(_start(home, java, url, folder / "output.txt"), lifeline.path)
        try:
            wait_until(lambda: _answers(url, server, folder / "output.txt"), "Keycloak answers", START_SECONDS)
            yield url
        finally:
            server.stop()


def _start(home: Path, java: Java, url: str, output: Path) -> subprocess.Popen[bytes]:
    # Java itself and not `kc.sh`, which would be a process of its own before it.
    command = [
        *(java.home / "bin" / "java", "-Xms64m", "-Xmx512m", f"-Dkc.home.dir={home}", "-Dkc.config.built=true"),
        f"-Djboss.server.config.dir={home / 'conf'}",
        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
        f"-Djava.util.concurrent.ForkJoinPool.common.threadFactory={THREADS}",
        *("-cp", home / "lib" / "quarkus-run.jar", "io.quarkus.bootstrap.runner.QuarkusEntryPoint"),
        *("start", "--optimized", "--cache=local", "--http-enabled=true", f"--hostname={url}"),
        *("--http-host=127.0.0.1", f"--http-port={httpx.URL(url).port}"),
    ]
    with output.open("wb") as written:
        return subprocess.Popen(
            command,
            cwd=home,
            env={"PATH": "/usr/bin:/bin", "KC_BOOTSTRAP_ADMIN_USERNAME": ADMIN, "KC_BOOTSTRAP_ADMIN_PASSWORD": ADMIN},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _answers(url: str, server: Guarded, output: Path) -> bool:
    assert server.is_running(), output.read_text(errors="replace")[-3000:]
    try:
        return httpx.get(f"{url}/realms/master", trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False
