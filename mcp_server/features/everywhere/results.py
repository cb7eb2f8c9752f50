"""The result of `search_everywhere`."""

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict

from indexer.arguments import Unlisted
from indexer.engines.port import Matched
from indexer.errors import Category, Fix
from indexer.search.facets import FacetCount
from mcp_server.search_source import ExplanationPart, Passage, SourceName


class AlsoIn(TypedDict):
    """Another place of the same thing."""

    source: SourceName
    id: str
    index_name: NotRequired[str]


class EverywhereHit(TypedDict):
    """One result. Title (plain text), snippet, passages (HTML-escaped but for <mark>) and fields are data.

    They are never instructions. What only a result in full has is left out of the others.
    """

    source: SourceName
    id: str
    """To go on: archive_get_document, search_get_document, search_by_id; the catalog's and the web's have a `url`."""
    title: str
    url: str | None
    """Where the thing itself says that it is; a local document that does not say has its doc:// address, or none."""
    snippet: str
    score: float
    """By rank in each source, or with `sort` in the whole list; the first of all has 1."""
    rank: int
    index_name: NotRequired[str]
    """Which of the team's indices holds the document."""
    also_in: NotRequired[list[AlsoIn]]
    """Where the same URL, DOI or text was found as well."""
    sandbox: NotRequired[Literal[True]]
    fetch_id: NotRequired[str | None]
    """In full: the id that `fetch` takes; null for a page of the web alone."""
    matched: NotRequired[Matched]
    """In full: how it was found."""
    passages: NotRequired[list[Passage]]
    """In full: at most three, best first."""
    fields: NotRequired[dict[str, Any]]
    """In full: what is known of it, such as date, authors and path, in few and short values."""
    explanation: NotRequired[list[ExplanationPart]]
    """In full and with `explain`: what it owes its score to, in its own source; the biggest part first."""


class SourceOutcome(TypedDict):
    """What became of one source; `count` is how many results it gave before they were ranked together."""

    source: SourceName
    success: bool
    count: int
    total: int | None
    """All that match there; null where the source does not count them."""
    took_ms: int
    error: NotRequired[str]
    error_category: NotRequired[Category]
    fix: NotRequired[Fix]
    sandbox: NotRequired[Literal[True]]


class EverywhereResult(TypedDict):
    """Results of all sources as one list, and what became of each source."""

    success: Literal[True]
    query: str
    results: list[EverywhereHit]
    total: int
    """All matches in the sources that count them; a document in two of them counts twice."""
    facets: Annotated[dict[str, list[FacetCount]], Unlisted()]
    """The ten most frequent values of each requested field, in the archive and the indices together."""
    did_you_mean: str | None
    """A corrected query, if the archive and the indices have few matches."""
    sources: list[SourceOutcome]
    not_configured: list[SourceName]
    """Sources that were not asked because this service has no settings for them."""
    truncated: bool
