"""URLs of sources and in texts, without tracking parameters."""

import re
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import unquote_plus

from mcp_server.features.web.provider.removal import Span, remove

_WEB_URL: Final = re.compile(r"https?://[^/?#\s]+\S*", re.IGNORECASE)
_AROUND_HOST: Final = re.compile(r"^https?://|[/?#\\].*$", re.DOTALL)
_TRACKING: Final = re.compile(r"utm_.*|ref|fbclid|gclid|msclkid|mc_cid|mc_eid", re.IGNORECASE | re.DOTALL)
_INSIDE: Final = (
    r"[^\s<>\"`|()\[\]"
    r"\u00ab\u00bb\u2018-\u201f\u2026"  # quotation marks, ellipsis
    r"\u3001\u3002\u3008-\u3011\uff01-\uff0f\uff1a-\uff1f]"  # punctuation of East Asia
)
_URL_IN_TEXT: Final = re.compile(
    # A bracket belongs to the URL only together with its counterpart, so that the URL of a Markdown link ends before ).
    rf"(?<![^\W_])(?:https?://|www\.)(?:{_INSIDE}|\({_INSIDE}*\)|\[{_INSIDE}*\])+",
    re.IGNORECASE,
)
_PUNCTUATION: Final = ".,;:!?'*_~"
"""Characters that end a sentence or an emphasis, not a URL."""


def is_web_address(url: str) -> bool:
    """Return whether this is an absolute http or https URL."""
    return _WEB_URL.fullmatch(url) is not None


def without_tracking(url: str) -> str:
    """Remove tracking parameters; every other byte of the URL stays as it is."""
    return remove(url, _tracking_spans(url, 0))[0]


def tracking_spans(text: str) -> Iterator[Span]:
    """Yield the spans of tracking parameters in the URLs of a text, with their separators."""
    for match in _URL_IN_TEXT.finditer(text):
        yield from _tracking_spans(match.group().rstrip(_PUNCTUATION), match.start())


def is_within(url: str, domains: Collection[str]) -> bool:
    """Return whether a URL or a domain is in one of these domains or their subdomains."""
    host = _AROUND_HOST.sub("", url.lower()).rpartition("@")[2].partition(":")[0].rstrip(".")
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _tracking_spans(url: str, offset: int) -> Iterator[Span]:
    """Yield the spans of a URL to remove; where no parameter remains, the question mark goes too."""
    path, question_mark, query = url.partition("#")[0].partition("?")
    parameters = query.split("&")
    start = offset + len(path)
    if not any(map(_is_tracking, parameters)):
        return
    if all(map(_is_tracking, parameters)):
        yield start, start + len(question_mark) + len(query)
        return
    start += len(question_mark)
    has_kept = False
    for parameter in parameters:
        end = start + len(parameter)
        if not _is_tracking(parameter):
            has_kept = True
        elif has_kept:
            yield start - 1, end
        else:
            yield start, end + 1
        start = end + 1


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(unquote_plus(parameter.partition("=")[0])) is not None
