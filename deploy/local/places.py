"""Folders for installations and nodes, and the user that a node runs as."""

import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from deploy.local.errors import LocalOpenSearchUnavailable

NOBODY_ID = 65534


def is_root() -> bool:
    """Return whether this process runs as root. If so, nodes run as another user."""
    return os.geteuid() == 0


def unprivileged_ids() -> tuple[int, int]:
    """Return the user and group for nodes when this process is root, because OpenSearch refuses to run as root."""
    with suppress(KeyError):
        entry = pwd.getpwnam("nobody")
        return entry.pw_uid, entry.pw_gid
    return NOBODY_ID, NOBODY_ID


def reachable_by_others(path: Path) -> bool:
    """Return whether every user may enter the folder and all its parents."""
    resolved = path.resolve()
    return all(part.stat().st_mode & stat.S_IXOTH for part in (resolved, *resolved.parents))


def _candidates(environ: Mapping[str, str]) -> list[Path]:
    candidates = [Path(environ["TRAWL_CACHE_DIR"])] if environ.get("TRAWL_CACHE_DIR") else []
    if is_root():
        candidates.append(Path("/var/cache/trawl"))
    else:
        candidates.append(Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trawl")
    candidates.append(Path(tempfile.gettempdir()) / f"trawl-cache-{os.geteuid()}")
    candidates.append(Path("/tmp") / f"trawl-cache-{os.geteuid()}")  # noqa: S108  # the last resort if other users cannot enter TMPDIR; `cache_root` checks its owner
    return candidates


def cache_root(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the first usable cache folder: owned by this user, writable, and readable for the node's user."""
    for candidate in _candidates(environ):
        with suppress(OSError):
            if not candidate.exists():
                candidate.mkdir(parents=True)
                candidate.chmod(0o755)
            is_usable = candidate.stat().st_uid == os.geteuid() and os.access(candidate, os.W_OK | os.X_OK)
            if is_usable and (not is_root() or reachable_by_others(candidate)):
                return candidate.resolve()
    raise LocalOpenSearchUnavailable("No folder can hold OpenSearch: set TRAWL_CACHE_DIR to one that you can write to.")


def new_node_folder() -> Path:
    """Create a private temporary folder whose parents the node's user may enter."""
    temporary = Path(tempfile.gettempdir())
    if is_root() and not reachable_by_others(temporary):
        temporary = cache_root()
    return Path(tempfile.mkdtemp(prefix="trawl-opensearch-", dir=temporary)).resolve()


def give_to_node_user(folder: Path) -> None:
    """Make the node's user the owner of the folder and its contents, if this process is root."""
    if not is_root():
        return
    user, group = unprivileged_ids()
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, user, group)
