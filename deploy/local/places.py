"""Where installations and nodes live on disk, and as whom a node runs."""

import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from deploy.local.errors import LocalOpenSearchUnavailable

NOBODY = 65534


def is_root() -> bool:
    """Say whether we may change to another user, and so must, to start a node."""
    return os.geteuid() == 0


def unprivileged_ids() -> tuple[int, int]:
    """Return the user and group that a node runs as when we are root: OpenSearch refuses root itself."""
    with suppress(KeyError):
        entry = pwd.getpwnam("nobody")
        return entry.pw_uid, entry.pw_gid
    return NOBODY, NOBODY


def reachable_by_others(path: Path) -> bool:
    """Say whether any user may enter the folder and all folders above it."""
    resolved = path.resolve()
    return all(part.stat().st_mode & stat.S_IXOTH for part in (resolved, *resolved.parents))


def _candidates(environ: Mapping[str, str]) -> list[Path]:
    found = [Path(environ["TRAWL_CACHE_DIR"])] if environ.get("TRAWL_CACHE_DIR") else []
    if is_root():
        found.append(Path("/var/cache/trawl"))
    else:
        found.append(Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trawl")
    found.append(Path(tempfile.gettempdir()) / f"trawl-cache-{os.geteuid()}")
    found.append(Path("/tmp") / f"trawl-cache-{os.geteuid()}")  # noqa: S108  # the last resort when TMPDIR is closed to others; its owner is checked
    return found


def cache_root(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for installations: ours, and open to the node's user when that is another one."""
    for candidate in _candidates(environ):
        with suppress(OSError):
            if not candidate.exists():
                candidate.mkdir(parents=True)
                candidate.chmod(0o755)
            usable = candidate.stat().st_uid == os.geteuid() and os.access(candidate, os.W_OK | os.X_OK)
            if usable and (not is_root() or reachable_by_others(candidate)):
                return candidate.resolve()
    raise LocalOpenSearchUnavailable("No folder can hold OpenSearch: set TRAWL_CACHE_DIR to one that you can write to.")


def new_node_folder() -> Path:
    """Make a private temporary folder whose way down is open to the node's user."""
    temporary = Path(tempfile.gettempdir())
    if is_root() and not reachable_by_others(temporary):
        temporary = cache_root()
    return Path(tempfile.mkdtemp(prefix="trawl-opensearch-", dir=temporary)).resolve()


def hand_over(folder: Path) -> None:
    """Give the folder and all in it to the node's user, when we are root."""
    if not is_root():
        return
    user, group = unprivileged_ids()
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, user, group)
