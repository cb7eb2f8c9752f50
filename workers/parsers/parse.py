"""Parses one file: chooses its parser and turns errors into a `ParseFailure`. Runs in the child process."""

from collections.abc import Callable
from importlib import import_module
from typing import Final

from indexer.archives.parsed import ParsedDocument
from workers.parsers import kinds
from workers.parsers.failures import TOO_DEEP, ParseError, ParseFailure

UNEXPECTED: Final = "could not be read"


def parse_file(name: str, data: bytes) -> ParsedDocument | ParseFailure:
    """Return the document or the failure; only MemoryError is raised."""
    try:
        return parser_for(kinds.kind_of(name, data))(data)
    except ParseError as failure:
        return ParseFailure(failure.reason)
    except RecursionError:
        return ParseFailure(TOO_DEEP)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (a bug in a parser must fail one file, not the job)
        return ParseFailure(f"{UNEXPECTED} ({type(error).__name__})")


def parser_for(kind: kinds.Kind) -> Callable[[bytes], ParsedDocument]:
    """Return the function `parse` of the module of that kind.

    The import is lazy, since most archives need only one or two of the libraries.
    """
    parse: Callable[[bytes], ParsedDocument] = import_module(f"workers.parsers.{kind}").parse
    return parse
