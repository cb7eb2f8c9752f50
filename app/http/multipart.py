"""Multipart bodies as they come in: one part after the other, each read piece by piece, never held as a whole."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from app.http.byte_stream import Pieces
from indexer.errors import Invalid

_MOST_HEADERS: Final = 16
_LONGEST_HEADER: Final = 16_384
_ESCAPED: Final = {"%22": '"', "%0D": "\r", "%0A": "\n"}
"""What browsers write in names instead of these."""


@dataclass(frozen=True, slots=True)
class _Begins:
    name: str
    filename: str | None


_ENDS: Final = None
_Event = _Begins | bytes | None


class Part(Pieces):
    """One field or file of a form; read it before asking for the next."""

    def __init__(self, name: str, filename: str | None, pieces: Iterator[bytes]) -> None:
        super().__init__(pieces)
        self.name = name
        self.filename = filename


def parts(content_type: str, body: Iterator[bytes]) -> Iterator[Part]:
    """Yield the parts of a form; `Invalid` if it is none, or not whole. Blocking, as the body is."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise Invalid("The body must be multipart/form-data", action="Send the files as parts named `files` of a form")
    events = _events(boundary, body)
    for event in events:
        if isinstance(event, _Begins):
            pieces = _until_end(events)
            yield Part(event.name, event.filename, pieces)
            for _ in pieces:
                pass


def _until_end(events: Iterator[_Event]) -> Iterator[bytes]:
    for event in events:
        if not isinstance(event, bytes):
            return
        yield event


def _events(boundary: bytes, body: Iterator[bytes]) -> Iterator[_Event]:
    seen = _Seen()
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_header_field": seen.header_field,
                "on_header_value": seen.header_value,
                "on_header_end": seen.header_end,
                "on_headers_finished": seen.headers_finished,
                "on_part_data": lambda data, start, end: seen.events.append(data[start:end]),
                "on_part_end": lambda: seen.events.append(_ENDS),
                "on_end": seen.end,
            },
            max_header_count=_MOST_HEADERS,
            max_header_size=_LONGEST_HEADER,
        )
        for piece in body:
            parser.write(piece)
            while seen.events:
                yield seen.events.popleft()
    except FormParserError:
        raise _broken() from None
    if not seen.complete:
        raise _broken()


class _Seen:
    """What the parser told and nobody has asked for yet."""

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
        self.events.append(_Begins(name, None if filename is None else _filename(filename)))

    def end(self) -> None:
        self.complete = True


def _filename(given: bytes) -> str:
    name = given.decode(errors="replace")
    for escaped, meant in _ESCAPED.items():
        name = name.replace(escaped, meant)
    return name


def _broken() -> Invalid:
    return Invalid("The form in the body is broken or incomplete", action="Send it again as a whole")
