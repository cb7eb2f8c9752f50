"""A source of `search_everywhere`: it takes a question and returns ranked findings."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import TypedDict

from indexer.arguments import Detail
from indexer.engines.query_parts import PartKind
from indexer.errors import PlatformError
from indexer.query.ast import Query, SortKey
from indexer.query.parse_text import Clause, parse_text
from indexer.search.facets import FacetValues
from indexer.tenancy import Principal
from indexer.text.clean import clean_text
from mcp_server.content import Content
from mcp_server.operation import Operation
from mcp_server.upstream.upstream import Upstream

if TYPE_CHECKING:
    from mcp_server.services import Services

SourceName = Literal["archive", "indices", "osdu", "quilt", "web"]
"""All sources; of findings with equal ranks, those of the source named first come first."""
OWN_SOURCES: Final[frozenset[SourceName]] = frozenset({"archive", "indices"})
"""The sources with the team's own documents, which alone take filters, sort keys and facets."""


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed query; each source writes it in its own syntax."""

    text: str
    clauses: tuple[Clause, ...]
    depth: int
    """The maximum number of findings of a source."""
    filters: Mapping[str, Query] = field(default_factory=dict)
    sort: tuple[SortKey, ...] = ()
    facets: tuple[str, ...] = ()
    detail: Detail = "brief"
    """Only in full do findings have details."""
    explain: bool = False
    suggest: bool = False
    """Whether to look for a corrected query if there are few matches."""

    @property
    def is_blank(self) -> bool:
        """Whether the query has neither a word nor `*`."""
        return not any(clause.kind == "all" or _has_word(clause) for clause in self.clauses)

    @property
    def wanted(self) -> list[str]:
        """The words and phrases of the query, without the excluded ones."""
        return [clause.text for clause in self.clauses if clause.sign != "-" and _has_word(clause)]


def question(query: str, depth: int) -> Question:
    """Parse a query by the syntax of local indices; `Invalid` if it exceeds their limits."""
    text = clean_text(query)
    return Question(text, parse_text(text), depth)


class Passage(TypedDict):
    """A passage that matches, HTML-escaped but for <mark>, and where in the original it stands."""

    text: str
    page: int | None
    heading: str | None
    line: int | None


class ExplanationPart(TypedDict):
    """A word, phrase or filter of the query that a hit matches, and what it adds to the score."""

    what: str
    kind: PartKind
    score: float


@dataclass(frozen=True, slots=True)
class FindingDetails:
    """What only a result in full shows."""

    passages: list[Passage] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    """What is known of it, in few and short values."""
    explanation: list[ExplanationPart] = field(default_factory=list)
    """Empty if it was not requested, or if the source explains nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a source."""

    id: str
    title: str
    snippet: str
    """HTML-escaped except for <mark>."""
    url: str | None = None
    page: str | None = None
    """A web page about it, if its URL is none."""
    keys: frozenset[str] = frozenset()
    """URLs and DOIs in canonical form; findings that share a key are one result."""
    content: Content | None = None
    """Its text; findings of two sources that have the same are one result."""
    index_name: str | None = None
    resource: str | None = None
    """The MCP resource, used as the URL if no source has one."""
    is_close: bool = False
    """Whether it matched only by fuzzy search."""
    fetch_id: str | None = None
    """The ID by which the source fetches it, if it differs from `id`."""
    sort_values: tuple[str | None, ...] = ()
    """Its values of the sort keys, in the form that `indexer/search/sort_values.py` makes."""
    details: Callable[[], FindingDetails] = FindingDetails
    """Makes the details, which takes time and is needed only for results that are shown."""

    @property
    def key(self) -> tuple[str | None, str]:
        """The index and the ID that `SearchSource.fetch` takes."""
        return self.index_name, self.fetch_id or self.id


@dataclass(frozen=True, slots=True)
class Answer:
    """The findings of a source, with an error if a part of it could not be searched."""

    findings: list[Finding] = field(default_factory=list)
    error: PlatformError | None = None
    total: int | None = None
    """The number of all matches; None if the source does not count them."""
    facets: list[FacetValues] = field(default_factory=list)
    """For each index that was searched."""
    did_you_mean: str | None = None


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """A whole document of a source."""

    title: str
    text: str
    url: str | None
    """Its web address, if it has one."""
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SearchSource:
    """A feature as a source; `ask` raises `PlatformError`, also if the source is not configured."""

    name: SourceName
    operation: Operation[Any, Any]
    """The operation that searches this source alone; its scope and limits apply here too."""
    ask: Callable[["Services", Principal, Question], Awaitable[Answer]]
    upstream: Upstream[Any] | None = None
    """The upstream that must be configured."""
    seconds: float | None = None
    """Its deadline, if it differs from the usual one."""
    fetch: Callable[["Services", Principal, str | None, str], Awaitable[FetchedDocument]] | None = None
    """Reads the document of a finding by its index and ID, through `run`; None if the source keeps no documents."""


def _has_word(clause: Clause) -> bool:
    return any(character.isalnum() for character in clause.text)
