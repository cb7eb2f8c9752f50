"""Keeps all that is traced by the MCP SDK, in place of an exporter."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan, Span


class _RecordingSpan(NonRecordingSpan):
    def __init__(self, kept: list[str]) -> None:
        super().__init__(INVALID_SPAN_CONTEXT)
        self._kept = kept

    def is_recording(self) -> bool:
        return True

    def set_attribute(self, key: str, value: Any) -> None:
        self._kept.append(f"{key}={value}")

    def set_attributes(self, attributes: Any) -> None:
        self._kept.append(repr(dict(attributes)))

    def add_event(self, name: str, attributes: Any = None, timestamp: int | None = None) -> None:
        self._kept.append(f"{name} {attributes} {timestamp}")

    def set_status(self, status: Any, description: str | None = None) -> None:
        self._kept.append(f"{status} {description}")

    def record_exception(self, exception: BaseException, *_: Any, **__: Any) -> None:
        self._kept.append(repr(exception))


class RecordingTracer:
    """Stands in for the SDK's tracer; what it was told is in `kept`, as text."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    @contextmanager
    def start_as_current_span(self, name: str, **given: Any) -> Iterator[Span]:
        self.kept.append(f"{name} {given.get('attributes')}")
        yield _RecordingSpan(self.kept)
