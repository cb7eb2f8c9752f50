"""Reads one file: chooses its parser, and turns whatever goes wrong inside into a reason."""

from collections.abc import Callable
from typing import Final, assert_never

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
    """Return the function that reads a kind; its libraries are imported then, for most archives need one or two."""
    match kind:
        case "markdown":
            from workers.parsers.markdown import parse  # noqa: PLC0415 (see above)
        case "html":
            from workers.parsers.html import parse  # noqa: PLC0415 (see above)
        case "pdf":
            from workers.parsers.pdf import parse  # noqa: PLC0415 (see above)
        case "docx":
            from workers.parsers.docx import parse  # noqa: PLC0415 (see above)
        case "text":
            from workers.parsers.text import parse  # noqa: PLC0415 (see above)
        case _:
            assert_never(kind)
    return parse
