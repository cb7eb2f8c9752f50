"""Addresses of sources, without what only tracks readers."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import unquote_plus

_WEB: Final = re.compile(r"https?://[^/?#\s]+\S*", re.IGNORECASE)
_HOST: Final = re.compile(r"^https?://|[/?#\\].*$", re.DOTALL)
_TRACKING: Final = re.compile(r"utm_.*|ref|fbclid|gclid|msclkid|mc_cid|mc_eid", re.IGNORECASE | re.DOTALL)


def is_web_address(url: str) -> bool:
    """Say whether this is a whole http or https address."""
    return _WEB.fullmatch(url) is not None


def without_tracking(url: str) -> str:
    """Remove tracking parameters; every other byte of the address stays as it is."""
    before, hash_mark, fragment = url.partition("#")
    path, question_mark, query = before.partition("?")
    parameters = query.split("&")
    kept = [parameter for parameter in parameters if not _tracks(parameter)]
    if len(kept) == len(parameters):
        return url
    return path + (question_mark + "&".join(kept) if kept else "") + hash_mark + fragment


def is_within(url: str, domains: Collection[str]) -> bool:
    """Say whether an address lies in one of these domains or below it."""
    host = _HOST.sub("", url.lower()).rpartition("@")[2].partition(":")[0].rstrip(".")
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _tracks(parameter: str) -> bool:
    return _TRACKING.fullmatch(unquote_plus(parameter.partition("=")[0])) is not None
