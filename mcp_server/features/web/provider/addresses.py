"""URLs of sources, without tracking parameters."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import unquote_plus

_WEB_URL: Final = re.compile(r"https?://[^/?#\s]+\S*", re.IGNORECASE)
_AROUND_HOST: Final = re.compile(r"^https?://|[/?#\\].*$", re.DOTALL)
_TRACKING: Final = re.compile(r"utm_.*|ref|fbclid|gclid|msclkid|mc_cid|mc_eid", re.IGNORECASE | re.DOTALL)


def is_web_address(url: str) -> bool:
    """Return whether this is an absolute http or https URL."""
    return _WEB_URL.fullmatch(url) is not None


def without_tracking(url: str) -> str:
    """Remove tracking parameters; every other byte of the URL stays as it is."""
    before, hash_mark, fragment = url.partition("#")
    path, question_mark, query = before.partition("?")
    parameters = query.split("&")
    remaining = [parameter for parameter in parameters if not _is_tracking(parameter)]
    if len(remaining) == len(parameters):
        return url
    return path + (question_mark + "&".join(remaining) if remaining else "") + hash_mark + fragment


def is_within(url: str, domains: Collection[str]) -> bool:
    """Return whether a URL is in one of these domains or their subdomains."""
    host = _AROUND_HOST.sub("", url.lower()).rpartition("@")[2].partition(":")[0].rstrip(".")
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(unquote_plus(parameter.partition("=")[0])) is not None
