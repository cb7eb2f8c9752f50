"""OSDU as a source of `search_everywhere`."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from indexer.errors import NotFound
from indexer.tenancy import Principal
from indexer.text.fields import text_of
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.details import shown_fields
from mcp_server.features.osdu.operations import BY_ID, QUERY
from mcp_server.features.osdu.results import OsduRecord
from mcp_server.features.osdu.upstream import OSDU
from mcp_server.lucene.clauses import lucene
from mcp_server.run import run
from mcp_server.search_source import Answer, FetchedDocument, Finding, FindingDetails, Question, SearchSource
from mcp_server.services import Services

_TITLE_FIELDS: Final = ("facilityname", "name", "title")
_MAX_VALUES: Final = 6


async def search_osdu(services: Services, principal: Principal, question: Question) -> Answer:
    """Search all fields of the records."""
    arguments = {"query": lucene(question.clauses), "limit": question.depth, "track_total_count": True}
    result = await run(QUERY, services, principal, arguments)
    findings = [_finding(record["id"], record, question.wanted) for record in result["results"] if record["id"]]
    return Answer(findings, total=result["totalCount"])


async def fetch_record(services: Services, principal: Principal, _index_name: str | None, id_: str) -> FetchedDocument:
    """Return a record, its data as JSON."""
    result = await run(BY_ID, services, principal, {"id": id_, "limit": 1})
    record = next((each for each in result["results"] if each["id"] == id_), None)
    if record is None:
        raise NotFound("OSDU has no record with this id any more", action="Search again")
    data = record["data"]
    known = ("kind", "createTime", "version")
    metadata = {name: value for name, value in record.items() if name in known and value is not None}
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return FetchedDocument(_title(id_, data), text, document_fields.stated_url(data), metadata | {"record_id": id_})


SOURCE: Final = SearchSource("osdu", QUERY, search_osdu, upstream=OSDU, fetch=fetch_record)


def _title(record_id: str, data: dict[str, Any]) -> str:
    return document_fields.title(text_of(data, _TITLE_FIELDS) or record_id)


def _finding(record_id: str, record: OsduRecord, search_terms: Sequence[str]) -> Finding:
    data = record["data"]
    url = document_fields.stated_url(data)
    return Finding(
        id=record_id,
        title=_title(record_id, data),
        snippet=document_fields.plain(_excerpt(data, search_terms)),
        url=url,
        keys=document_fields.keys_of(url, document_fields.stated_doi(data)),
        details=partial(_details, record),
    )


def _details(record: OsduRecord) -> FindingDetails:
    fields = {"kind": record["kind"], "createTime": record["createTime"], **document_fields.flattened(record["data"])}
    return FindingDetails(fields=shown_fields(fields))


def _excerpt(data: dict[str, Any], search_terms: Sequence[str]) -> str:
    """Return some values with their field names; values that match a search term come first."""
    terms = [term.casefold() for term in search_terms]
    values = sorted(
        document_fields.scalars(data), key=lambda value: not any(term in value[1].casefold() for term in terms)
    )
    return " · ".join(f"{path}: {text}" for path, text in values[:_MAX_VALUES])
