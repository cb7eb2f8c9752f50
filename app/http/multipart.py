"""Streaming multipart parser: yields one part after the other, and never holds a whole part in memory."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from app.http.byte_stream import ByteStream
from indexer.errors import Invalid

_MAX_HEADERS: Final = 16
_MAX_HEADER_LENGTH: Final = 16_384
_BROWSER_ESCAPES: Final = {"%22": '"', "%0D": "\r", "%0A": "\n"}
"""How browsers escape these characters in file names."""


@dataclass(frozen=True, slots=True)
class _PartStart:
    name: str
    filename: str | None


_PART_END: Final = None
_Event = _PartStart | bytes | None


class Part(ByteStream):
    """One field or file of a form. It can be read only until the next part is requested."""

    def __init__(self, name: str, filename: str | None, chunks: Iterator[bytes]) -> None:
        super().__init__(chunks)
        self.name = name
        self.filename = filename


def parse_parts(content_type: str, body: Iterator[bytes]) -> Iterator[Part]:
    """Yield the parts of a form; `Invalid` if the body is no form or incomplete."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise Invalid("The body must be multipart/form-data", action="Send the files as parts named `files` of a form")
    events = _events(boundary, body)
    for event in events:
        if isinstance(event, _PartStart):
            chunks = _part_data(events)
            yield Part(event.name, event.filename, chunks)
            for _ in chunks:
                pass


def _part_data(events: Iterator[_Event]) -> Iterator[bytes]:
    for event in events:
        if not isinstance(event, bytes):
            return
        yield event


def _events(boundary: bytes, body: Iterator[bytes]) -> Iterator[_Event]:
    buffer = _EventBuffer()
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_header_field": buffer.header_field,
                "on_header_value": buffer.header_value,
                "on_header_end": buffer.header_end,
                "on_headers_finished": buffer.headers_finished,
                "on_part_data": lambda data, start, end: buffer.events.append(data[start:end]),
                "on_part_end": lambda: buffer.events.append(_PART_END),
                "on_end": buffer.end,
            },
            max_header_count=_MAX_HEADERS,
            max_header_size=_MAX_HEADER_LENGTH,
        )
        for chunk in body:
            parser.write(chunk)
            while buffer.events:
                yield buffer.events.popleft()
    except FormParserError:
        raise _broken_form() from None
    if not buffer.complete:
        raise _broken_form()


class _EventBuffer:
    """Collects the parser's callbacks as events until they are consumed."""

    def __init__(self) -> None:
        self.events: deque[_Event] = deque()
        self.complete = False
        self._field = self._value = self._disposition = b""

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def header_end(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = self._value
        self._field = self._value = b""

    def headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition.decode("latin-1"))
        self._disposition = b""
        filename = options.get(b"filename")
        name = options.get(b"name", b"").decode(errors="replace")
        self.events.append(_PartStart(name, None if filename is None else _decode_filename(filename)))

    def end(self) -> None:
        self.complete = True


def _decode_filename(raw: bytes) -> str:
    name = raw.decode(errors="replace")
    for escaped, character in _BROWSER_ESCAPES.items():
        name = name.replace(escaped, character)
    return name


def _broken_form() -> Invalid:
    return Invalid("The form in the body is broken or incomplete", action="Send it again as a whole")
