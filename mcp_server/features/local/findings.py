"""Documents of local indices as findings of `search_everywhere`."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

from indexer.engines.port import Hit
from indexer.local.mapping import metadata_of, stated_title
from indexer.tenancy import IndexName
from mcp_server.content import Content
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.details import explanation, shown_fields
from mcp_server.features.local.operations import DOCUMENT_URI
from mcp_server.search_source import Finding, FindingDetails, Passage

_MAX_PASSAGES: Final = 3


def indexed_finding(index: IndexName, hit: Hit, *, is_close: bool, values: tuple[str | None, ...]) -> Finding:
    """Return a hit of an index, with its values of the sort keys, as a finding."""
    metadata = metadata_of(hit.payload)
    url = document_fields.stated_url(metadata)
    return Finding(
        id=hit.id,
        title=title_of(metadata, hit.id),
        snippet=document_fields.marked(hit.highlights[0] if hit.highlights else ""),
        url=url,
        keys=document_fields.keys_of(url, document_fields.stated_doi(metadata)),
        content=Content(hit.text),
        index_name=index,
        resource=DOCUMENT_URI.format(index=index, id=quote(hit.id, safe="")),
        is_close=is_close,
        sort_values=values,
        details=_details(hit, metadata, url),
    )


def title_of(metadata: Mapping[str, Any], id_: str) -> str:
    """Return the title that a document's metadata states, or else its ID."""
    return document_fields.title(stated_title(metadata) or id_)


def _details(hit: Hit, metadata: Mapping[str, Any], url: str | None) -> Callable[[], FindingDetails]:
    def details() -> FindingDetails:
        return FindingDetails(
            passages=[
                Passage(text=text, page=None, heading=None, line=None) for text in hit.highlights[:_MAX_PASSAGES]
            ],
            fields=shown_fields(metadata, without=(stated_title(metadata), url)),
            explanation=explanation(hit),
        )

    return details
