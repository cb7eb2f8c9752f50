"""The secret keys of the service: a setting, or created once in the data folder of an embedded service."""

import os
import secrets
from pathlib import Path
from typing import Final

from indexer.data_folder import writing_data
from indexer.errors import NotConfigured
from indexer.file_lock import REQUEST_PATIENCE, exclusive_lock
from indexer.settings import IndexerSettings

_FILE: Final = "secret.key"
_BYTES: Final = 32


def secret_keys(settings: IndexerSettings) -> tuple[bytes, ...]:
    """Return the key that signs and seals, then the earlier ones, with which only is read.

    All processes of a service need the same ones, or they reject each other's cursors.
    """
    old = settings.secret_key_old.get_secret_value() if settings.secret_key_old else ""
    return _current_key(settings), *(key.strip().encode() for key in old.split(",") if key.strip())


def _current_key(settings: IndexerSettings) -> bytes:
    configured = settings.secret_key.get_secret_value().strip() if settings.secret_key else ""
    if configured:
        return configured.encode()
    if settings.chosen_engine == "opensearch":
        raise NotConfigured(
            "TRAWL_SECRET_KEY is not set",
            action="Make one key for all processes of this service and set TRAWL_SECRET_KEY to it",
            command='python3 -c "import secrets; print(secrets.token_hex(32))"',
        )
    return _read_or_create(settings.data_dir)


def _read_or_create(folder: Path) -> bytes:
    path = folder / _FILE
    with writing_data():
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _create(path)
        return path.read_text(encoding="ascii").strip().encode()


def _create(path: Path) -> None:
    # Two processes may start at once: the lock lets one create the key, and the rename publishes it atomically.
    with exclusive_lock(path.with_name(f"{_FILE}.lock"), REQUEST_PATIENCE, "The secret key is being made"):
        if not path.exists():
            temporary = path.with_name(f"{_FILE}.new")
            temporary.unlink(missing_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(_BYTES))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
