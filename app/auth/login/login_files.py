"""Where this machine keeps sign-ins, and which of them commands use. Commands must start fast: no pydantic here."""

import hashlib
import json
import time
from pathlib import Path
from typing import Final

import click

from app.private_file import write_private

_CURRENT: Final = "current"
_MARGIN_SECONDS: Final = 30
"""A token is renewed a little early, so that it does not expire on its way."""


def login_path(url: str) -> Path:
    """Return the file of the sign-in to a service."""
    return _folder() / f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json"


def make_folder() -> None:
    """Make the folder of the files, for its owner alone."""
    _folder().mkdir(mode=0o700, parents=True, exist_ok=True)


def current_login() -> str | None:
    """Return the address of the service that commands use since the last sign-in; None if they use this machine's."""
    try:
        return (_folder() / _CURRENT).read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None


def make_current(url: str) -> None:
    """Let commands use this service from now on."""
    make_folder()
    write_private(_folder() / _CURRENT, f"{url}\n")


def forget_current(url: str) -> None:
    """Let commands use this machine's service again, if they use this one."""
    if current_login() == url:
        (_folder() / _CURRENT).unlink(missing_ok=True)


def is_signed_in(url: str) -> bool:
    """Say whether a sign-in to this service is kept."""
    return login_path(url).is_file()


def unexpired_token(url: str) -> str | None:
    """Return the kept token for a service; None if there is none, or if it must be renewed."""
    try:
        stored = json.loads(login_path(url).read_bytes())
        token, expires_at = stored["access_token"], stored["expires_at"]
        return token if isinstance(token, str) and not has_expired(expires_at) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def has_expired(expires_at: float | None) -> bool:
    """Say whether a token that is valid until then must be renewed; None if its issuer did not say."""
    return expires_at is not None and expires_at - _MARGIN_SECONDS <= time.time()


def _folder() -> Path:
    return Path(click.get_app_dir("trawl")) / "logins"
