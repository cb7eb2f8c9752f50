"""The OpenSearch installation in the cache folder: fetched by Maven, assembled once."""

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
MAX_ATTEMPTS = 3


def _installation_path() -> Path:
    """Return the folder, named by a hash of its recipe, so that an installation of an older recipe is not reused."""
    recipe = hashlib.sha256(POM.read_bytes() + repr((MODULES, LOCALE_PROVIDER)).encode()).hexdigest()
    return cache_root() / f"opensearch-{VERSION}-{recipe[:8]}"


def is_installed() -> bool:
    """Return whether `installation` returns without fetching."""
    return _installation_path().exists()


def installation() -> Path:
    """Return the installation's folder. The first call fetches it, which takes about a minute."""
    target = _installation_path()
    with FileLock(f"{target}.lock"):
        if not target.exists():
            # Assembled in a temporary folder and renamed, so that a folder of this name is always complete.
            with tempfile.TemporaryDirectory(prefix="building-", dir=target.parent) as temporary:
                _assemble(Path(temporary)).rename(target)
    return target


def _assemble(folder: Path) -> Path:
    jars, tree = _fetch_artifacts(folder)
    with zipfile.ZipFile(jars / f"opensearch-{VERSION}.zip") as archive:
        archive.extractall(folder)
    home = folder / f"opensearch-{VERSION}"
    for jar in jars_of(LOCALE_PROVIDER, tree):
        shutil.copy(jars / jar, home / "lib")
    server_jars = {path.name for path in (home / "lib").glob("*.jar")}
    for module in MODULES:
        module_folder = home / "modules" / module.folder
        module_folder.mkdir()
        for jar in jars_of(module.artifact, tree):
            if jar not in server_jars:
                shutil.copy(jars / jar, module_folder)
        (module_folder / DESCRIPTOR_FILE).write_text(descriptor(module), encoding="utf-8")
    _make_readable(home)
    return home


def _fetch_artifacts(folder: Path) -> tuple[Path, str]:
    """Let Maven copy all artifacts into one folder; return that folder and the dependency tree."""
    maven = shutil.which("mvn")
    if maven is None:
        raise LocalOpenSearchUnavailable(
            "Maven (mvn) is missing, and no OpenSearch is in the cache: install Maven, or run"
            " `python -m deploy.local install-packages` as root."
        )
    # A copy, so that Maven writes nothing into the source tree.
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
    for _ in range(MAX_ATTEMPTS):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return jars, tree.read_text(encoding="utf-8")
    output = "\n".join(result.stdout.splitlines()[-15:])
    raise LocalOpenSearchUnavailable(f"Maven could not fetch OpenSearch {VERSION}; it said:\n{output}")


def jars_of(artifact: str, tree: str) -> list[str]:
    """Return the jar files of an artifact and of all its dependencies in Maven's dependency tree."""
    jars: list[str] = []
    in_subtree = False
    for line in tree.splitlines()[1:]:
        _, name, kind, version = line.strip().split(":")[:4]
        depth = (len(line) - len(line.lstrip())) // 3
        if depth == 1:
            in_subtree = name == artifact and kind == "jar"
        if in_subtree:
            jars.append(f"{name}-{version}.{kind}")
    return jars


def _make_readable(home: Path) -> None:
    """Make it readable for the node's user despite the umask, and scripts executable, a mode that zipfile drops."""
    for path in (home, *home.rglob("*")):
        is_executable = path.is_dir() or path.parent == home / "bin"
        path.chmod(0o755 if is_executable else 0o644)
