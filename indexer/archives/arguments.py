"""The arguments of operations on archives, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated, Literal

from pydantic import Field

from indexer.arguments import Arguments, Cursor, Facets, Filters, MaxChars, QueryText, Sort

ArchiveId = Annotated[str, Field(description="Identifier of the document, as search results give it")]


class SearchLocalArchives(Arguments):
    query: QueryText
    fuzzy: Annotated[bool, Field(description="Replace misspelt words, which occur nowhere, by similar ones")] = True
    includeCitations: Annotated[bool, Field(description="Also return who cites whom")] = False  # noqa: N815 (contract)
    citationDepth: Annotated[int, Field(ge=1, le=3, description="Levels of citations to follow")] = 1  # noqa: N815
    limit: Annotated[int, Field(ge=1, le=50, description="How many results at most")] = 10
    filters: Filters = None
    sort: Sort = None
    facets: Facets = None
    cursor: Cursor = None
    max_chars: MaxChars = None


class GetArchiveDocument(Arguments):
    id: ArchiveId
    offset: Annotated[int, Field(ge=0, description="First character of the content to return")] = 0
    max_chars: MaxChars = None


class ListArchive(Arguments):
    filters: Filters = None
    sort: Sort = None
    cursor: Cursor = None
    limit: Annotated[int, Field(ge=1, le=200, description="How many documents at most")] = 50


class DeleteFromArchive(Arguments):
    ids: Annotated[list[str] | None, Field(max_length=1000, description="Documents to delete")] = None
    filters: Filters = None


class Cite(Arguments):
    id: ArchiveId
    format: Annotated[Literal["bibtex", "csl-json"], Field(description="How the reference is written")] = "bibtex"
