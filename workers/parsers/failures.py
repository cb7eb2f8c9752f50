"""Why a file cannot be read: raised by a parser, handed to callers as a value."""

from dataclasses import dataclass
from typing import Final

NO_TEXT: Final = "holds no text"
TOO_DEEP: Final = "is nested too deeply"


class ParseError(Exception):
    """Raised inside parsers; its reason finishes the sentence "this file …" and holds nothing of the file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """A file that could not be read, and why, in words for the job's report."""

    reason: str
