"""Reads one setting as text, by the same rules as `EnvironmentSettings`, without the import of pydantic."""

import os
from collections.abc import Mapping

from indexer.errors import NotConfigured

ENVIRONMENT_FILE = ".env"


def environment_value(name: str) -> str | None:
    """Return the value from the environment, else from `.env`; names in any case, and empty values do not count."""
    value = _find(name, os.environ)
    if value is not None or not os.path.isfile(ENVIRONMENT_FILE):  # noqa: PTH113 - as fast as a command must be
        return value
    from dotenv import dotenv_values  # noqa: PLC0415 - slow, and there is rarely such a file

    try:
        return _find(name, dotenv_values(ENVIRONMENT_FILE, encoding="utf-8"))
    except UnicodeDecodeError:
        raise unreadable_environment_file() from None


def unreadable_environment_file() -> NotConfigured:
    """Build the failure for a file in another encoding."""
    return NotConfigured(f"{ENVIRONMENT_FILE} is not UTF-8", action="Save it as UTF-8")


def _find(name: str, variables: Mapping[str, str | None]) -> str | None:
    return {key.lower(): value for key, value in variables.items() if value != ""}.get(name.lower())
