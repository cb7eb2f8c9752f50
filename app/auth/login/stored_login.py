"""What this machine keeps of a sign-in: one file per service in the user's configuration folder."""

from dataclasses import dataclass, field
from typing import Final

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from app.auth.login.login_files import login_path, make_folder
from app.private_file import write_private

_PATIENCE_SECONDS: Final = 30.0
"""Longer than an issuer may take to renew a token."""


@dataclass(frozen=True, slots=True)
class StoredLogin:
    """A sign-in to one service; the tokens are kept out of every printed form."""

    url: str
    issuer: str
    client_id: str
    resource: str
    token_endpoint: str
    revocation_endpoint: str | None
    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_at: float | None
    """In seconds since 1970; None if the issuer did not say."""


_ADAPTER: Final = TypeAdapter(StoredLogin)


def read_login(url: str) -> StoredLogin | None:
    """Return what is kept of the sign-in to a service; None if there is nothing that can be read."""
    try:
        return _ADAPTER.validate_json(login_path(url).read_bytes())
    except (OSError, ValidationError):
        return None


def write_login(login: StoredLogin) -> None:
    """Keep a sign-in, for its owner alone."""
    make_folder()
    write_private(login_path(login.url), _ADAPTER.dump_json(login).decode())


def remove_login(url: str) -> None:
    """Forget a sign-in."""
    login_path(url).unlink(missing_ok=True)


def lock_login(url: str) -> FileLock:
    """Let one command at a time renew a token: many issuers let a refresh token be used once."""
    make_folder()
    path = login_path(url).with_suffix(".lock")
    return FileLock(path, mode=0o600, timeout=_PATIENCE_SECONDS, thread_local=False)
