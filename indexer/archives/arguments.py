"""The arguments of operations on archives, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated

from pydantic import Field

from indexer.archives.results import CitationFormat
from indexer.arguments import Arguments, BriefDetail, Cursor, Facets, Filters, MaxChars, QueryText, Sort


class SearchLocalArchives(Arguments):
    query: QueryText
    fuzzy: Annotated[bool, Field(description="Also match misspelt words")] = True
    includeCitations: Annotated[bool, Field(description="Who cites whom")] = False  # noqa: N815 (contract)
    citationDepth: Annotated[int, Field(ge=1, le=3, description="Levels to follow")] = 1  # noqa: N815
    limit: Annotated[int, Field(ge=1, le=50, description="How many results")] = 10
    filters: Filters = None
    sort: Sort = None
    facets: Facets = None
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: BriefDetail = "full"


class GetArchiveDocument(Arguments):
    id: str
    offset: Annotated[int, Field(ge=0)] = 0
    max_chars: MaxChars = None


class ListArchive(Arguments):
    filters: Filters = None
    sort: Sort = None
    cursor: Cursor = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    max_chars: MaxChars = None


class DeleteFromArchive(Arguments):
    ids: Annotated[list[str] | None, Field(max_length=1000)] = None
    filters: Filters = None


class Cite(Arguments):
    id: str
    format: CitationFormat = "bibtex"
