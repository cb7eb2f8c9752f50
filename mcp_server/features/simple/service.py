"""Searches all sources but the web for documents, and reads them by one kind of ID."""

from typing import Final

from indexer.errors import NotFound
from indexer.tenancy import Principal
from indexer.text.marks import plain_text
from indexer.text.truncate import json_size, shorten_to, truncate_text
from mcp_server.document_ids import DocumentKey, UnknownId, decode_id
from mcp_server.features.everywhere.document_fields import web_address
from mcp_server.features.everywhere.fusion import fuse
from mcp_server.features.everywhere.groups import Group
from mcp_server.features.everywhere.service import default_sources, search_sources, unrestricted
from mcp_server.features.everywhere.sources import sources_of
from mcp_server.features.simple.arguments import Fetch, SearchSimple
from mcp_server.features.simple.results import FetchResult, SimpleHit, SimpleResult
from mcp_server.sandbox import marked
from mcp_server.search_source import FetchedDocument, question
from mcp_server.services import Services

_LIMIT: Final = 10


async def search_documents(services: Services, principal: Principal, arguments: SearchSimple) -> SimpleResult:
    """Return the best documents of the configured sources; fails only if none of them could be searched."""
    sources = default_sources(sources_of(unrestricted(services), principal))
    outcomes = await search_sources(sources, question(arguments.query, _LIMIT))
    results = [_build_hit(services, group) for group in fuse(outcomes, _LIMIT)]
    return SimpleResult(success=True, results=results)


async def fetch_document(services: Services, principal: Principal, arguments: Fetch) -> FetchResult:
    """Return a document of any source, or the part of its text that fits `max_chars`."""
    key = decode_id(arguments.id)
    sources = (feature.source for feature in services.features if feature.source is not None)
    fetch = next((source.fetch for source in sources if source.name == key.source), None)
    if fetch is None:
        raise UnknownId
    document = await fetch(unrestricted(services), principal, key.index_name, key.id)
    if arguments.offset > len(document.text):
        raise NotFound(
            "The text ends before this offset",
            action="Leave out offset, or use metadata.next_offset",
            details={"total_chars": len(document.text)},
        )
    result = _build_result(services, key, document, arguments)
    bound = next(each for each in sources_of(services, principal) if each.name == key.source)
    return marked(result) if bound.is_sandbox else result


def document_url(services: Services, address: str | None, id_: str) -> str:
    """Return a document's own web address, or else the address of its page here."""
    return web_address(address) or f"{services.public_url}/d/{id_}"


def _build_hit(services: Services, group: Group) -> SimpleHit:
    first = group.members[0].finding
    # The best finding changes with the query, so the ID is that of the source which comes first.
    named = min(group.members, key=lambda member: (member.source_order, member.rank))
    id_ = DocumentKey(named.source.name, *named.finding.key).encode()
    pages = (member.finding.page for member in group.members if member.finding.page)
    url = document_url(services, web_address(group.url) or next(pages, None), id_)
    hit = SimpleHit(id=id_, title=first.title, url=url, text=plain_text(group.snippet))
    return marked(hit) if group.members[0].source.is_sandbox else hit


def _build_result(services: Services, key: DocumentKey, document: FetchedDocument, arguments: Fetch) -> FetchResult:
    total = len(document.text)
    text = document.text[arguments.offset :]
    metadata = {**document.metadata, "source": key.source}
    if key.index_name is not None:
        metadata["index_name"] = key.index_name
    url = document_url(services, document.url, arguments.id)
    result = FetchResult(success=True, id=arguments.id, title=document.title, text=text, url=url, metadata=metadata)
    metadata |= {"total_chars": total, "truncated": False}
    if arguments.max_chars is not None and json_size(result) > arguments.max_chars:
        result["metadata"] = metadata = shorten_to(metadata, arguments.max_chars // 2)
        metadata |= {"source": key.source, "total_chars": total, "truncated": True, "next_offset": total}
        rest = arguments.max_chars - json_size({**result, "text": ""}) + len('""')
        result["text"] = truncate_text(text, rest)
    end = arguments.offset + len(result["text"])
    if end < total:
        metadata |= {"truncated": True, "next_offset": end}
    else:
        metadata.pop("next_offset", None)
    return result
