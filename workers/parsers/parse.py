"""Reads one file: chooses its parser, and turns whatever goes wrong inside into a reason."""

from collections.abc import Callable
from importlib import import_module
from typing import Final

from indexer.archives.parsed import ParsedDocument
from workers.parsers import kinds
from workers.parsers.failures import TOO_DEEP, ParseError, ParseFailure

UNEXPECTED: Final = "could not be read"


def read(name: str, data: bytes) -> ParsedDocument | ParseFailure:
    """Return the document, or why there is none; MemoryError alone is raised."""
    try:
        return parser_for(kinds.kind_of(name, data))(data)
    except ParseError as failure:
        return ParseFailure(failure.reason)
    except RecursionError:
        return ParseFailure(TOO_DEEP)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (a parser's bug must cost one file, not the job)
        return ParseFailure(f"{UNEXPECTED} ({type(error).__name__})")


def parser_for(kind: kinds.Kind) -> Callable[[bytes], ParsedDocument]:
    """Return the function that reads a kind: `parse` of the module of that name.

    Its libraries are imported then, for most archives need one or two.
    """
    parse: Callable[[bytes], ParsedDocument] = import_module(f"workers.parsers.{kind}").parse
    return parse
