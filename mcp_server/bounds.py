"""How large a result over MCP may be where the caller does not say: a model reads all of it."""

from typing import Annotated, Final

from pydantic import AfterValidator

from indexer.archive_arguments import GetArchiveDocument, SearchLocalArchives
from indexer.arguments import GetDocument, MaxChars, SearchIndex

DEFAULT_MAX_CHARS: Final = 20_000

BoundedChars = Annotated[MaxChars, AfterValidator(lambda given: DEFAULT_MAX_CHARS if given is None else given)]


class BoundedSearchIndex(SearchIndex):
    """A search whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


class BoundedGetDocument(GetDocument):
    """A read whose part of the content always has a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


class BoundedSearchLocalArchives(SearchLocalArchives):
    """A search of the archive whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


class BoundedGetArchiveDocument(GetArchiveDocument):
    """A read of the archive whose part of the content always has a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS
