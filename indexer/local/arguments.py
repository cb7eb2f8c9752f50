"""The arguments of operations on local indices, shared by MCP tools, HTTP routes and the command line."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from indexer.arguments import Arguments, Cursor, Facets, Filters, MaxChars, QueryText, Sort

ExistingIndex = Annotated[str | None, Field(description="The index to use")]
DocumentIdText = Annotated[str, Field(description="Identifier of the document: 1 to 512 bytes of UTF-8")]


class SearchIndex(Arguments):
    query: QueryText
    k: Annotated[int, Field(ge=1, le=1000, description="How many results at most")] = 10
    index_name: ExistingIndex = "default"
    filters: Filters = None
    sort: Sort = None
    facets: Facets = None
    fuzzy: Annotated[bool, Field(description="Replace misspelt words, which occur nowhere, by similar ones")] = False
    explain: Annotated[bool, Field(description="Say for each result how its score came about")] = False
    cursor: Cursor = None
    max_chars: MaxChars = None


class GivenDocument(Arguments):
    doc_id: DocumentIdText
    content: Annotated[str, Field(description="Text to index, up to 10 MB")]
    metadata: Annotated[
        dict[str, Any] | None, Field(description="Any JSON object; scalars and lists can be filtered")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _treat_missing_content_as_blank(cls, values: Any) -> Any:
        # Blank content is an expected failure with its own message, and missing content is the same failure.
        if isinstance(values, Mapping) and values.get("content") is None:
            return {**values, "content": ""}
        return values


class AddDocument(GivenDocument):
    index_name: ExistingIndex = "default"


class AddDocuments(Arguments):
    documents: Annotated[
        list[dict[str, Any]], Field(max_length=500, description="Objects of doc_id, content, metadata?")
    ]
    index_name: ExistingIndex = "default"


class TokenizerConfig(Arguments):
    lowercase: Annotated[bool, Field(description="Compare words without regard to case")] = True
    min_length: Annotated[int, Field(ge=1, le=20, description="Shorter words are left out")] = 2
    language: Annotated[str, Field(description="Whose word endings to ignore: english, …, or none")] = "english"


class CreateIndex(Arguments):
    index_name: Annotated[str, Field(description="1 to 64 characters of a-z, 0-9, _ and -")]
    backend: Annotated[
        str, Field(description="memory, default or this service's engine by name: all keep documents on disk")
    ] = "memory"
    tokenizer_config: TokenizerConfig = TokenizerConfig()
    sortable_fields: Annotated[
        dict[str, Literal["number", "string", "date", "boolean"]] | None,
        Field(description="Metadata fields to sort by however many documents match"),
    ] = None


class GetDocument(Arguments):
    doc_id: DocumentIdText
    index_name: ExistingIndex = "default"
    offset: Annotated[int, Field(ge=0, description="First character of the content to return")] = 0
    max_chars: MaxChars = None


class DeleteDocument(Arguments):
    doc_id: DocumentIdText
    index_name: ExistingIndex = "default"


class ListIndices(Arguments):
    pass


class DescribeIndex(Arguments):
    index_name: ExistingIndex = "default"


class DeleteIndex(Arguments):
    index_name: Annotated[str, Field(description="The index to delete, with all its documents")]
