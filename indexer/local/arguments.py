"""The arguments of operations on local indices, shared by MCP tools, HTTP routes and the command line."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from indexer.arguments import Arguments, BriefDetail, Cursor, Facets, Filters, MaxChars, QueryText, Sort

ExistingIndex = str | None


class SearchIndex(Arguments):
    query: QueryText
    k: Annotated[int, Field(ge=1, le=1000)] = 10
    index_name: ExistingIndex = "default"
    filters: Filters = None
    sort: Sort = None
    facets: Facets = None
    fuzzy: Annotated[bool, Field(description="Also match misspelt words")] = False
    explain: bool = False
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: BriefDetail = "full"


class GivenDocument(Arguments):
    doc_id: str
    content: str
    metadata: dict[str, Any] | None = None

    @model_validator(mode="before")
    @classmethod
    def _treat_missing_content_as_blank(cls, values: Any) -> Any:
        # Blank content is an expected failure with its own message, and missing content is the same failure.
        if isinstance(values, Mapping) and values.get("content") is None:
            return {**values, "content": ""}
        return values

    def stored_bytes(self) -> int:
        return _bytes_of(self.content)


class AddDocument(GivenDocument):
    index_name: ExistingIndex = "default"


class AddDocuments(Arguments):
    documents: Annotated[
        list[dict[str, Any]], Field(max_length=500, description="Each with doc_id, content, metadata?")
    ]
    index_name: ExistingIndex = "default"

    def stored_bytes(self) -> int:
        return sum(_bytes_of(document.get("content")) for document in self.documents)


class TokenizerConfig(Arguments):
    lowercase: bool = True
    min_length: Annotated[int, Field(ge=1, le=20)] = 2
    language: Annotated[str, Field(description="Like german, or none")] = "english"


class CreateIndex(Arguments):
    index_name: Annotated[str, Field(description="a-z, 0-9, _ and -")]
    backend: str = "memory"
    tokenizer_config: TokenizerConfig = TokenizerConfig()
    sortable_fields: dict[str, Literal["number", "string", "date", "boolean"]] | None = None


class GetDocument(Arguments):
    doc_id: str
    index_name: ExistingIndex = "default"
    offset: Annotated[int, Field(ge=0)] = 0
    max_chars: MaxChars = None


class DeleteDocument(Arguments):
    doc_id: str
    index_name: ExistingIndex = "default"


class ListIndices(Arguments):
    pass


class DescribeIndex(Arguments):
    index_name: ExistingIndex = "default"


class DeleteIndex(Arguments):
    index_name: str


def _bytes_of(text: object) -> int:
    if not isinstance(text, str):
        return 0
    # Encoding copies the text.
    return len(text) if text.isascii() else len(text.encode(errors="replace"))
