"""The team's archive as a source of `search_everywhere`."""

from typing import Final

from indexer.tenancy import ARCHIVE_INDEX, Principal
from mcp_server.features.archives.findings import archived_findings
from mcp_server.features.archives.operations import GET, SEARCH
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.own_documents import search_own_documents
from mcp_server.run import admitted, run
from mcp_server.search_source import Answer, FetchedDocument, Question, SearchSource
from mcp_server.services import Services


async def ask_archive(services: Services, principal: Principal, question: Question) -> Answer:
    """Search the archive; fuzzily only if nothing matches exactly."""
    async with admitted(SEARCH, services, principal):
        own = await search_own_documents(services.library, principal.team, [ARCHIVE_INDEX], question)
        [outcome] = own.outcomes
        if outcome.error is not None:
            raise outcome.error
        findings = list(archived_findings(outcome.found, question, is_close=own.is_close))
        return Answer(findings, total=own.total, facets=own.facets, did_you_mean=own.did_you_mean)


async def fetch_archived(
    services: Services, principal: Principal, _index_name: str | None, id_: str
) -> FetchedDocument:
    """Return a document of the archive."""
    result = await run(GET, services, principal, {"id": id_})
    details = result["document"]
    known = ("path", "date", "authors", "tags", "language", "doi", "revision")
    metadata = {name: value for name, value in details.items() if name in known and value not in (None, [])}
    title = document_fields.title(details["title"] or details["path"])
    return FetchedDocument(title, result["content"], details["url"], metadata | {"origin": details["source"]})


SOURCE: Final = SearchSource("archive", SEARCH, ask_archive, fetch=fetch_archived)
