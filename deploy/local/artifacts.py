"""An unpacked OpenSearch in the cache folder: fetched by Maven, put together once."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from filelock import FileLock

from deploy.local.descriptors import DESCRIPTOR_FILE, LOCALE_PROVIDER, MODULES, VERSION, descriptor
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.java import find_java
from deploy.local.places import cache_root

POM = Path(__file__).with_name("pom.xml")
ATTEMPTS = 3


def _place() -> Path:
    """Name the folder by what goes into it, so that an installation of an older recipe is never taken for it."""
    recipe = hashlib.sha256(POM.read_bytes() + repr((MODULES, LOCALE_PROVIDER)).encode()).hexdigest()
    return cache_root() / f"opensearch-{VERSION}-{recipe[:8]}"


def is_installed() -> bool:
    """Say whether `installation` has nothing left to fetch."""
    return _place().exists()


def installation() -> Path:
    """Return the installation's folder; the first call fetches it, which takes a minute."""
    target = _place()
    with FileLock(f"{target}.lock"):
        if not target.exists():
            # Built beside its place and renamed, so that a folder with this name is always whole.
            with tempfile.TemporaryDirectory(prefix="building-", dir=target.parent) as building:
                _build(Path(building)).rename(target)
    return target


def _build(folder: Path) -> Path:
    jars, tree = _fetch(folder)
    with zipfile.ZipFile(jars / f"opensearch-{VERSION}.zip") as archive:
        archive.extractall(folder)
    home = folder / f"opensearch-{VERSION}"
    for jar in jars_of(LOCALE_PROVIDER, tree):
        shutil.copy(jars / jar, home / "lib")
    present = {path.name for path in (home / "lib").glob("*.jar")}
    for module in MODULES:
        place = home / "modules" / module.folder
        place.mkdir()
        for jar in jars_of(module.artifact, tree):
            if jar not in present:
                shutil.copy(jars / jar, place)
        (place / DESCRIPTOR_FILE).write_text(descriptor(module), encoding="utf-8")
    _open_to_all(home)
    return home


def _fetch(folder: Path) -> tuple[Path, str]:
    """Let Maven copy all artifacts into one folder and say which depends on which."""
    maven = shutil.which("mvn")
    if maven is None:
        raise LocalOpenSearchUnavailable(
            "Maven (mvn) is missing, and no OpenSearch is in the cache: install Maven, or run"
            " `python -m deploy.local install-packages` as root."
        )
    # A copy, so that nothing is ever written beside the one in the source tree.
    pom = Path(shutil.copy(POM, folder))
    jars, tree = folder / "jars", folder / "tree.txt"
    environment = dict(os.environ)
    if "JAVA_HOME" not in environment and shutil.which("java") is None:
        environment["JAVA_HOME"] = str(find_java().home)
    command = [
        *(maven, "--batch-mode", "--strict-checksums", "--file", str(pom)),
        *("dependency:copy-dependencies", f"-DoutputDirectory={jars}"),
        *("dependency:tree", f"-DoutputFile={tree}", "-Dtokens=whitespace"),
    ]
    for _ in range(ATTEMPTS):
        finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if finished.returncode == 0:
            return jars, tree.read_text(encoding="utf-8")
    told = "\n".join(finished.stdout.splitlines()[-15:])
    raise LocalOpenSearchUnavailable(f"Maven could not fetch OpenSearch {VERSION}; it said:\n{told}")


def jars_of(artifact: str, tree: str) -> list[str]:
    """List the files of an artifact and of all below it in Maven's dependency tree."""
    found: list[str] = []
    inside = False
    for line in tree.splitlines()[1:]:
        _, name, kind, version = line.strip().split(":")[:4]
        depth = (len(line) - len(line.lstrip())) // 3
        if depth == 1:
            inside = name == artifact and kind == "jar"
        if inside:
            found.append(f"{name}-{version}.{kind}")
    return found


def _open_to_all(home: Path) -> None:
    """Let the node's user read it, whatever the umask; and run the scripts, whose mode the zip reader drops."""
    for path in (home, *home.rglob("*")):
        runnable = path.is_dir() or path.parent == home / "bin"
        path.chmod(0o755 if runnable else 0o644)
