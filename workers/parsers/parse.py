"""Reads one file: chooses its parser, and turns whatever goes wrong inside into a reason."""

from collections.abc import Callable
from importlib import import_module
from typing import Final

from indexer.archives.parsed import ParsedDocument
from workers.parsers import kinds
from workers.parsers.failures import TOO_DEEP, Refused, Unreadable

UNEXPECTED: Final = "could not be read"


def read(name: str, data: bytes) -> ParsedDocument | Refused:
    """Return the document, or why there is none; MemoryError alone is raised."""
    try:
        return parser_for(kinds.kind_of(name, data))(data)
    except Unreadable as failure:
        return Refused(failure.reason)
    except RecursionError:
        return Refused(TOO_DEEP)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (a parser's bug must cost one file, not the job)
        return Refused(f"{UNEXPECTED} ({type(error).__name__})")


def parser_for(kind: kinds.Kind) -> Callable[[bytes], ParsedDocument]:
    """Return the function that reads a kind: `parse` of the module of that name.

    Its libraries are imported then, for most archives need one or two.
    """
    parse: Callable[[bytes], ParsedDocument] = import_module(f"workers.parsers.{kind}").parse
    return parse
