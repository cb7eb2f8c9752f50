"""What an answer tells of another team: marks and ids that the request did not hold itself."""

import base64
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote, unquote

from tests.teams_apart.handles import MARK, Handles

_ENCODED: Final = re.compile(r"1[A-Za-z0-9_-]{8,}")
_MARKED: Final = re.compile(rf"\w*{MARK}\w*")
_VOLATILE: Final = (
    (re.compile(r"j_[0-9a-f]{20}"), "<a job>"),
    (re.compile(r"trawl_\w{49}"), "<a token>"),
    (re.compile(r"\bt_[0-9a-f]{16}"), "<a token id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"), "<a time>"),
    (re.compile(r"\b\d+ ms\b"), "<a duration>"),
    (re.compile(r"reference [0-9a-f]{12}"), "<a reference>"),
    (re.compile(r", from the cache"), ""),
    (re.compile(r"[A-Za-z0-9_-]{60,}"), "<a cursor>"),
    # What is left of a handle: a prefix, or a misspelling.
    (re.compile(r"[zqx]{3,}|[vjw]{3,}"), "<a mark>"),
)
_VOLATILE_KEYS: Final = frozenset(
    {
        "took_ms",
        "execution_time_ms",
        "query_time_ms",
        "revision",
        "last_used_at",
        "last_client",
        "retry_after_s",
        "cached",
        # How often red itself called and searched.
        "calls",
        "days",
    }
)


def leaks(answer: str, request: str, canaries: Iterable[str]) -> set[str]:
    """Return what the answer holds of the other team and the request did not."""
    told, asked = answer.lower(), _all_that_is_in(request).lower()
    marked = {word for word in _MARKED.findall(told) if not any(part in asked for part in _parts(word))}
    return marked | {canary for canary in canaries if canary in answer and canary not in request}


def _all_that_is_in(request: str) -> str:
    """Return a request with what it holds in other forms: an id of `fetch` has the names of index and document."""
    decoded = [request, unquote(request)]
    for token in _ENCODED.findall(request):
        with suppress(ValueError):
            decoded.append(base64.urlsafe_b64decode(token[1:] + "=" * (-len(token[1:]) % 4)).decode())
    return "\n".join(decoded)


def _parts(word: str) -> set[str]:
    """Return the forms in which a request may have held a word: an echo may be joined to letters beside it."""
    return {word, word.strip("_"), word[word.index(MARK) :]}


def alike(answer: str, handles: Handles) -> Any:
    """Return an answer in a form in which those to two sets of handles are equal, unless they tell them apart."""
    text = answer
    for kind, value in handles.values().items():
        for form in dict.fromkeys((value, json.dumps(value)[1:-1], quote(value, safe=""), value.lower())):
            text = text.replace(form, f"<{kind}>")
    for pattern, replacement in _VOLATILE:
        text = pattern.sub(replacement, text)
    try:
        return stable(json.loads(text))
    except ValueError:
        return text


def stable(value: Any) -> Any:
    """Return a JSON value without what differs at each call."""
    match value:
        case dict():
            return {name: stable(part) for name, part in value.items() if name not in _VOLATILE_KEYS}
        case list():
            return [stable(part) for part in value]
        case _:
            return value
