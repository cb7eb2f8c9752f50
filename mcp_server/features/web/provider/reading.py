"""From a Responses object to text and sources. What is missing or odd in it is expected; what cannot be is PARSE."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from indexer.errors import PlatformError
from indexer.text.clean import HIDDEN, clean_text
from mcp_server.features.web.failures import LIMITED, Unreadable, provider_error
from mcp_server.features.web.provider.addresses import is_web_address, without_tracking
from mcp_server.upstream.errors import RateLimited
from mcp_server.upstream.guard.attempts import AttemptFailed

_HIDDEN: Final = re.compile(f"[{HIDDEN}]")
_BETWEEN: Final = "\n\n"
_OUT_OF_ROOM: Final = "max_output_tokens"
_BUSY_SECONDS: Final = 20.0

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A cited address, and where the text refers to it."""

    url: str
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says."""

    text: str
    sources: list[Source]
    incomplete: str | None


def parsed(body: bytes) -> Object:
    """Return the answer as an object; where only the list of its steps came, as an object with that."""
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise AttemptFailed(Unreadable("not JSON"), status=200) from None
    if isinstance(answer, list):
        answer = {"output": answer}
    if not isinstance(answer, dict):
        raise AttemptFailed(Unreadable("not an object"), status=200)
    return answer


def steps(answer: Object) -> list[Object]:
    """Return what the model did, in its order."""
    output = answer.get("output")
    return [step for step in output if isinstance(step, dict)] if isinstance(output, list) else []


def searches(answer: Object) -> int:
    """Count the searches; opening a page or looking into it is none."""
    actions = [step.get("action") for step in _search_calls(answer)]
    return sum(1 for action in actions if not isinstance(action, dict) or action.get("type", "search") == "search")


def read(answer: Object) -> Reading:
    """Return text and sources, where the model searched and then wrote something."""
    _check_status(answer)
    if not _search_calls(answer):
        raise AttemptFailed(Unreadable("no search"), status=200)
    text = ""
    sources: list[Source] = []
    for step in steps(answer):
        if step.get("type") == "message":
            message, cited = _written(step)
            before = text + _BETWEEN if text and message else text
            sources += [replace(each, start=len(before) + each.start, end=len(before) + each.end) for each in cited]
            text = before + message
    reason = _incomplete(answer)
    if not text.strip():
        raise AttemptFailed(_nothing_written(reason), status=200)
    return Reading(text, sources, reason)


def _check_status(answer: Object) -> None:
    error = answer.get("error")
    status = answer.get("status", "completed")
    if error or status == "failed":
        code = error.get("code") if isinstance(error, dict) else None
        told: PlatformError = provider_error(500)
        if code == "rate_limit_exceeded":
            told = RateLimited(LIMITED, retry_after=_BUSY_SECONDS)
        raise AttemptFailed(told, upstream_broke=code in {None, "server_error"}, status=200)
    if status not in {"completed", "incomplete"}:
        raise AttemptFailed(Unreadable("not completed"), status=200)


def _search_calls(answer: Object) -> list[Object]:
    return [step for step in steps(answer) if step.get("type") == "web_search_call" and step.get("status") != "failed"]


def _incomplete(answer: Object) -> str | None:
    if answer.get("status") != "incomplete":
        return None
    details = answer.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    if reason != _OUT_OF_ROOM:
        raise AttemptFailed(Unreadable("incomplete"), status=200)
    return _OUT_OF_ROOM


def _nothing_written(reason: str | None) -> Unreadable:
    if reason is None:
        return Unreadable("no text")
    return Unreadable(
        f"incomplete: {reason}",
        action="Ask for less; the operator can raise TRAWL_WEB_MAX_OUTPUT_TOKENS, which reasoning used up",
    )


def _written(message: Object) -> tuple[str, list[Source]]:
    """Return a message's text and its sources."""
    text = ""
    sources: list[Source] = []
    for raw, annotations in _parts(message):
        sources += _sources(raw, annotations, len(text))
        text += clean_text(raw)
    return text, sources


def _parts(message: Object) -> Iterator[tuple[str, Sequence[Any]]]:
    content = message.get("content")
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, dict) or part.get("type") != "output_text":
            continue
        text, annotations = part.get("text"), part.get("annotations")
        if isinstance(text, str):
            yield text, annotations if isinstance(annotations, list) else []


def _sources(raw: str, annotations: Sequence[Any], offset: int) -> Iterator[Source]:
    hidden = [match.start() for match in _HIDDEN.finditer(raw)]
    for annotation in annotations:
        if not isinstance(annotation, dict) or annotation.get("type") != "url_citation":
            continue
        url, title = annotation.get("url"), annotation.get("title")
        if not isinstance(url, str) or not is_web_address(address := clean_text(url).strip()):
            continue
        start = _place(annotation.get("start_index"), raw, hidden)
        end = max(start, _place(annotation.get("end_index"), raw, hidden))
        name = clean_text(title) if isinstance(title, str) else ""
        yield Source(without_tracking(address), name, offset + start, offset + end)


def _place(index: object, raw: str, hidden: Sequence[int]) -> int:
    """Return where an index into the raw text lies in the cleaned one; what is no place in it becomes the nearest."""
    if not isinstance(index, int):
        return 0
    inside = min(max(index, 0), len(raw))
    return inside - bisect_left(hidden, inside)
