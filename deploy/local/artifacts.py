"""The OpenSearch installation in the cache folder: fetched by Maven, assembled once."""

import hashlib
import shutil
import tempfile
import zipfile
from pathlib import Path

from filelock import FileLock

from deploy.local.descriptors import DESCRIPTOR_FILE, LOCALE_PROVIDER, MODULES, VERSION, descriptor
from deploy.local.maven import fetch_artifacts
from deploy.local.places import cache_root

POM = Path(__file__).with_name("pom.xml")


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
    jars, tree = fetch_artifacts(POM, folder, f"OpenSearch {VERSION}")
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
