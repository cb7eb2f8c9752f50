"""A body that was checked, and the long strings that were taken out of it."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

_PAUSE_AFTER: Final = 1024 * 1024
"""So many bytes of strings are decoded in some milliseconds."""


@dataclass(frozen=True, slots=True)
class CheckedBody:
    """JSON that is parsed in a short time, because each long string in it is replaced by a short one."""

    json: bytes
    strings: Mapping[str, str] = field(default_factory=dict)
    """The long strings, by what replaces them."""

    def restored(self, value: Any) -> Any:
        """Return a value that was parsed from `json`, with the long strings in it."""
        return self._restore(value) if self.strings else value

    def _restore(self, value: Any) -> Any:
        match value:
            case str():
                return self.strings.get(value, value)
            case list():
                return [self._restore(each) for each in value]
            case dict():
                return {self.strings.get(name, name): self._restore(each) for name, each in value.items()}
            case _:
                return value


async def take_out(body: bytes, long: list[tuple[int, int]]) -> CheckedBody:
    """Take the strings at these positions out, and decode each by itself; `orjson.JSONDecodeError` if one is invalid.

    What replaces them cannot be guessed, so no other string of the body is replaced.
    """
    prefix = secrets.token_hex(16)
    view = memoryview(body)
    kept: list[bytes | memoryview] = []
    strings: dict[str, str] = {}
    position = decoded = 0
    for start, end in long:
        name = f"{prefix}-{len(strings)}"
        kept += (view[position:start], b'"', name.encode(), b'"')
        strings[name] = orjson.loads(view[start:end])
        position = end
        decoded += end - start
        if decoded > _PAUSE_AFTER:
            decoded = 0
            await asyncio.sleep(0)
    kept.append(view[position:])
    return CheckedBody(b"".join(kept), strings)
