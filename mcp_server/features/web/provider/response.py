"""Extracts text and sources from a Responses object. Optional parts may be missing; an unusable response is PARSE."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from indexer.errors import PlatformError, RateLimited
from indexer.text.clean import HIDDEN, clean_text
from mcp_server.features.web.failures import LIMITED, InvalidResponse, provider_error
from mcp_server.features.web.provider.addresses import is_web_address, tracking_spans, without_tracking
from mcp_server.features.web.provider.removal import remove
from mcp_server.upstream.guard.attempts import AttemptFailed

_HIDDEN: Final = re.compile(f"[{HIDDEN}]")
_MESSAGE_SEPARATOR: Final = "\n\n"
_INCOMPLETE_REASON: Final = "max_output_tokens"
_BUSY_SECONDS: Final = 20.0

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A cited URL, and the position of the citation in the text."""

    url: str
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The text of an answer and its sources."""

    text: str
    sources: list[Source]
    incomplete: str | None


def decode_response(body: bytes) -> Object:
    """Decode the response body; a bare list of output items is wrapped into an object."""
    try:
        response = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise AttemptFailed(InvalidResponse("not JSON"), status=200) from None
    if isinstance(response, list):
        response = {"output": response}
    if not isinstance(response, dict):
        raise AttemptFailed(InvalidResponse("not an object"), status=200)
    return response


def output_items(response: Object) -> list[Object]:
    """Return the output items in their order: search calls, reasoning and messages."""
    output = response.get("output")
    return [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []


def count_searches(response: Object) -> int:
    """Count the searches; opening a page and finding text in it do not count."""
    actions = [item.get("action") for item in _search_calls(response)]
    return sum(1 for action in actions if not isinstance(action, dict) or action.get("type", "search") == "search")


def extract_answer(response: Object) -> WebAnswer:
    """Return text and sources; raises a failure where the model did not search or wrote no text."""
    _check_status(response)
    if not _search_calls(response):
        raise AttemptFailed(InvalidResponse("no search"), status=200)
    text = ""
    sources: list[Source] = []
    for item in output_items(response):
        if item.get("type") == "message":
            message, message_sources = _parse_message(item)
            prefix = text + _MESSAGE_SEPARATOR if text and message else text
            sources += [
                replace(source, start=len(prefix) + source.start, end=len(prefix) + source.end)
                for source in message_sources
            ]
            text = prefix + message
    reason = _incomplete_reason(response)
    if not text.strip():
        raise AttemptFailed(_empty_answer(reason), status=200)
    return WebAnswer(text, sources, reason)


def _check_status(response: Object) -> None:
    error = response.get("error")
    status = response.get("status", "completed")
    if error or status == "failed":
        code = error.get("code") if isinstance(error, dict) else None
        failure: PlatformError = provider_error(500)
        if code == "rate_limit_exceeded":
            failure = RateLimited(LIMITED, retry_after=_BUSY_SECONDS)
        raise AttemptFailed(failure, upstream_broke=code in {None, "server_error"}, status=200)
    if status not in {"completed", "incomplete"}:
        raise AttemptFailed(InvalidResponse("not completed"), status=200)


def _search_calls(response: Object) -> list[Object]:
    return [
        item
        for item in output_items(response)
        if item.get("type") == "web_search_call" and item.get("status") != "failed"
    ]


def _incomplete_reason(response: Object) -> str | None:
    if response.get("status") != "incomplete":
        return None
    details = response.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    if reason != _INCOMPLETE_REASON:
        raise AttemptFailed(InvalidResponse("incomplete"), status=200)
    return _INCOMPLETE_REASON


def _empty_answer(reason: str | None) -> InvalidResponse:
    if reason is None:
        return InvalidResponse("no text")
    return InvalidResponse(
        f"incomplete: {reason}",
        action="Ask for less; the operator can raise TRAWL_WEB_MAX_OUTPUT_TOKENS, which reasoning used up",
    )


def _parse_message(message: Object) -> tuple[str, list[Source]]:
    """Return the text of a message and its sources."""
    text = ""
    sources: list[Source] = []
    for raw, annotations in _text_parts(message):
        cleaned, place = _clean(raw)
        sources += _sources(annotations, place, len(text))
        text += cleaned
    return text, sources


def _text_parts(message: Object) -> Iterator[tuple[str, Sequence[Any]]]:
    content = message.get("content")
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, dict) or part.get("type") != "output_text":
            continue
        text, annotations = part.get("text"), part.get("annotations")
        if isinstance(text, str):
            yield text, annotations if isinstance(annotations, list) else []


def _clean(raw: str) -> tuple[str, Callable[[object], int]]:
    """Remove hidden characters, then tracking parameters; return the function that shifts an index of an annotation."""
    visible, shifted = remove(raw, (match.span() for match in _HIDDEN.finditer(raw)))
    text, shifted_again = remove(visible, tracking_spans(visible))
    return text, lambda index: shifted_again(shifted(_clamp(index, raw)))


def _sources(annotations: Sequence[Any], place: Callable[[object], int], offset: int) -> Iterator[Source]:
    for annotation in annotations:
        if not isinstance(annotation, dict) or annotation.get("type") != "url_citation":
            continue
        url, title = annotation.get("url"), annotation.get("title")
        if not isinstance(url, str) or not is_web_address(address := clean_text(url).strip()):
            continue
        start = place(annotation.get("start_index"))
        end = max(start, place(annotation.get("end_index")))
        clean_title = clean_text(title) if isinstance(title, str) else ""
        yield Source(without_tracking(address), clean_title, offset + start, offset + end)


def _clamp(index: object, raw: str) -> int:
    return min(max(index, 0), len(raw)) if isinstance(index, int) else 0
