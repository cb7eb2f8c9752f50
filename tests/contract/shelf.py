"""An archive in a few words: documents put in by path, and the calls that tests make."""

import asyncio
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from indexer.archives.arguments import Cite, DeleteFromArchive, GetArchiveDocument, ListArchive, SearchLocalArchives
from indexer.archives.documents import cite, delete_from_archive, get_archive_document, list_archive
from indexer.archives.ids import file_id, url_id
from indexer.archives.incoming import IncomingDocument
from indexer.archives.ingest import refresh_archive, write_incoming
from indexer.archives.parsed import Link, ParsedDocument, Place
from indexer.archives.results import ArchiveSearchResult, CitationGraph
from indexer.archives.search import search_archive
from indexer.engines.port import Written
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, Principal


def paper(path: str, text: str = "", *, links: tuple[str | Link, ...] = (), **parsed: Any) -> IncomingDocument:
    """A file at this path; links given as strings stand at the end of its text."""
    title = parsed.pop("title", path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize())
    body = text or f"About {title}."
    made = [link if isinstance(link, Link) else Link(link, "link", len(body)) for link in links]
    places = parsed.pop("places", (Place(0, heading=None, line=1),))
    return arrival(path, ParsedDocument(title=title, text=body, links=tuple(made), places=places, **parsed))


def arrival(path: str, parsed: ParsedDocument) -> IncomingDocument:
    """A parsed file at this path."""
    return IncomingDocument(
        id=file_id(path),
        path=path,
        source="research",
        root=path.partition("/")[0],
        url=None,
        fallback_date="2025-05-20",
        version=sha256(f"{parsed.title}{parsed.text}".encode()).hexdigest()[:32],
        parsed=parsed,
    )


def page(url: str, text: str = "", **given: Any) -> IncomingDocument:
    """A fetched page."""
    made = paper("host/page.md", text, **given)
    return replace(made, id=url_id(url), path=url, source="url", root="host", url=url)


@dataclass(frozen=True)
class Shelf:
    """One team's archive."""

    library: Library
    principal: Principal

    async def put(self, *arrivals: IncomingDocument, revision: int | None = None) -> list[Written]:
        def put() -> list[Written]:
            chosen = self.library.clock.next() if revision is None else revision
            written = write_incoming(self.library, self.principal.team, arrivals, chosen)
            refresh_archive(self.library, self.principal.team)
            return written

        return await asyncio.to_thread(put)

    async def search(self, query: str, **arguments: Any) -> ArchiveSearchResult:
        return await search_archive(self.library, self.principal, SearchLocalArchives(query=query, **arguments))

    async def paths(self, query: str, **arguments: Any) -> list[str]:
        return [hit["document"]["path"] for hit in (await self.search(query, **arguments))["results"]]

    async def graph(self, query: str, depth: int = 1) -> CitationGraph:
        found = await self.search(query, includeCitations=True, citationDepth=depth, fuzzy=False)
        return found["citationGraph"]

    async def get(self, id_: str, **arguments: Any) -> Any:
        return await get_archive_document(self.library, self.principal, GetArchiveDocument(id=id_, **arguments))

    async def list(self, **arguments: Any) -> Any:
        return await list_archive(self.library, self.principal, ListArchive(**arguments))

    async def delete(self, **arguments: Any) -> int:
        asked = DeleteFromArchive(**arguments)
        return (await delete_from_archive(self.library, self.principal, asked))["deleted"]

    async def cite(self, id_: str, format_: Any) -> Any:
        return (await cite(self.library, self.principal, Cite(id=id_, format=format_)))["citation"]

    def remove(self) -> None:
        for target in self.library.registry.remove(self.principal.team, ARCHIVE_INDEX).all_physical():
            self.library.engine.writer.drop(target.physical)


def edges(graph: CitationGraph) -> set[tuple[str, str, float]]:
    """Edges by the labels of their ends."""
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    return {(labels[edge["from"]], labels[edge["to"]], edge["confidence"]) for edge in graph["edges"]}
