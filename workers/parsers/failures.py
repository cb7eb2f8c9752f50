"""Failures of parsing: an exception inside the parsers, a value for their callers."""

from dataclasses import dataclass
from typing import Final

NO_TEXT: Final = "holds no text"
TOO_DEEP: Final = "is nested too deeply"


class ParseError(Exception):
    """Raised inside parsers. The reason completes the sentence "this file …" and quotes nothing from the file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """A file that could not be parsed, with the reason for the job's report."""

    reason: str
