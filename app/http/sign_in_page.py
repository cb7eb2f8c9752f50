"""The address of the page on which people sign in."""

from typing import Final
from urllib.parse import urlencode

SIGN_IN_PAGE: Final = "/auth/login"


def sign_in_page(next_path: str, problem: str | None = None) -> str:
    """Return the address, with the place of this service to go to afterwards and what went wrong, in one word."""
    parameters = {"next": next_path} | ({} if problem is None else {"problem": problem})
    return f"{SIGN_IN_PAGE}?{urlencode(parameters)}"
