"""`service.json` in the data folder: commands read it to find the service that runs on the folder."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from app.private_file import write_private
from indexer.data_folder import writing_data
from indexer.lock_holders import is_alive

NAME: Final = "service.json"


@dataclass(frozen=True, slots=True)
class RunningService:
    """A running service; `instance` is the value that its /livez returns."""

    pid: int
    url: str
    """The address on which it listens."""
    instance: str
    public_url: str | None = None
    """The address at which its clients reach it, if it differs."""
    secret: str = ""
    """The token of commands of the same user on this machine; another one at each start."""
    certificate: str | None = None
    """The file of the certificate by which it serves https."""


def announce(folder: Path, service: RunningService) -> None:
    """Write the file atomically, readable by its owner only."""
    with writing_data():
        folder.mkdir(parents=True, exist_ok=True)
        write_private(folder / NAME, json.dumps(asdict(service)))


def withdraw(folder: Path, service: RunningService) -> None:
    """Remove the file, unless another service has replaced it."""
    if _read(folder) == service:
        (folder / NAME).unlink(missing_ok=True)


def running_service(folder: Path) -> RunningService | None:
    """Return the service that announced itself in this folder, unless its process has ended."""
    service = _read(folder)
    return service if service is not None and is_alive(service.pid) else None


def _read(folder: Path) -> RunningService | None:
    try:
        value = json.loads((folder / NAME).read_text())
        public_url, certificate = value.get("public_url"), value.get("certificate")
        return RunningService(
            pid=int(value["pid"]),
            url=str(value["url"]),
            instance=str(value["instance"]),
            public_url=None if public_url is None else str(public_url),
            secret=str(value.get("secret", "")),
            certificate=None if certificate is None else str(certificate),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
