"""The Quilt catalog as a source of `search_everywhere`."""

import json
import re
from functools import partial
from typing import Final
from urllib.parse import quote

from indexer.errors import NotFound
from indexer.query.parse_text import Clause
from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.details import shown_fields
from mcp_server.features.quilt.operations import SEARCH
from mcp_server.features.quilt.results import CatalogHit
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.lucene.clauses import lucene
from mcp_server.run import run
from mcp_server.search_source import Answer, FetchedDocument, Finding, FindingDetails, Question, SearchSource
from mcp_server.services import Services

_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "TO"})
_MAX_VALUES: Final = 6
_NAME_WORDS: Final = re.compile(r"[^\W_]+")
_MAX_NAME_WORDS: Final = 10
_MAX_NAMESAKES: Final = 100
"""How many entries with the words of a name are looked through for the one with just this name."""


async def search_quilt(services: Services, principal: Principal, question: Question) -> Answer:
    """Search packages and objects."""
    result = await run(SEARCH, services, principal, {"query": _query(question), "limit": question.depth})
    excluded = [_pattern(clause) for clause in question.clauses if clause.sign == "-"]
    # Some catalogs apply an exclusion to each group of fields separately, so excluded words are filtered here again.
    hits = [hit for hit in result["results"] if not _matches_any(hit, excluded)]
    findings = [_finding(hit, _page(services, principal, hit)) for hit in hits]
    return Answer(findings, total=result["total_results"])


async def fetch_entry(services: Services, principal: Principal, _index_name: str | None, id_: str) -> FetchedDocument:
    """Return what the catalog tells of a package or an object; its contents stay in S3."""
    kind, bucket, name = id_.split("/", 2) if id_.count("/") > 1 else ("", "", "")
    if kind not in {"package", "object"}:
        raise _entry_gone()
    query = " ".join(_NAME_WORDS.findall(name)[-_MAX_NAME_WORDS:])
    arguments = {"query": query, "scope": kind, "bucket": bucket, "limit": _MAX_NAMESAKES}
    result = await run(SEARCH, services, principal, arguments)
    hit = next((each for each in result["results"] if each["name"] == name), None)
    if hit is None:
        raise _entry_gone()
    known = ("type", "bucket", "name", "size", "modified", "s3_uri", "comment")
    metadata = {name: value for name, value in hit.items() if name in known and value is not None}
    text = json.dumps(metadata | {"metadata": hit["metadata"]}, ensure_ascii=False, indent=2)
    page = _page(services, principal, hit)
    return FetchedDocument(document_fields.title(hit["title"] or hit["name"]), text, page, metadata)


SOURCE: Final = SearchSource("quilt", SEARCH, search_quilt, upstream=QUILT, fetch=fetch_entry)


def _entry_gone() -> NotFound:
    return NotFound("The catalog has no such package or object any more", action="Search again")


def _page(services: Services, principal: Principal, hit: CatalogHit) -> str | None:
    """Return the catalog's own page about a package or an object."""
    catalog_url = services.upstreams.of(principal.team)[QUILT].catalog_url
    folder = "packages" if hit["type"] == "package" else "tree"
    return catalog_url and f"{catalog_url}/b/{hit['bucket']}/{folder}/{quote(hit['name'])}"


def _query(question: Question) -> str:
    """Return plain words unchanged, because all catalogs parse them alike, and anything else in Lucene syntax."""
    if all(_is_plain(clause) for clause in question.clauses):
        return " ".join(clause.text for clause in question.clauses)
    return lucene(question.clauses)


def _is_plain(clause: Clause) -> bool:
    return clause.kind == "word" and not clause.sign and clause.text.isalnum() and clause.text not in _OPERATORS


def _pattern(clause: Clause) -> re.Pattern[str]:
    words = r"\W+".join(re.escape(word) for word in clause.text.split())
    return re.compile(rf"(?<!\w){words}" + ("" if clause.kind == "prefix" else r"(?!\w)"), re.IGNORECASE)


def _matches_any(hit: CatalogHit, patterns: list[re.Pattern[str]]) -> bool:
    texts = [hit["name"], hit.get("comment", ""), *(text for _, text in document_fields.scalars(hit["metadata"]))]
    return any(pattern.search(text) for pattern in patterns for text in texts)


def _finding(hit: CatalogHit, page: str | None) -> Finding:
    metadata = hit["metadata"]
    return Finding(
        id=hit["id"],
        title=document_fields.title(hit["title"] or hit["name"]),
        snippet=document_fields.plain(_summary(hit)),
        url=hit["s3_uri"],
        page=page,
        keys=document_fields.keys_of(document_fields.stated_url(metadata), document_fields.stated_doi(metadata)),
        fetch_id=f"{hit['type']}/{hit['bucket']}/{hit['name']}",
        details=partial(_details, hit),
    )


def _details(hit: CatalogHit) -> FindingDetails:
    known = ("type", "bucket", "name", "size", "modified", "comment")
    fields = {name: value for name, value in hit.items() if name in known}
    return FindingDetails(fields=shown_fields({**fields, **document_fields.flattened(hit["metadata"])}))


def _summary(hit: CatalogHit) -> str:
    """Return the path, the comment and some metadata of a hit."""
    comment = hit.get("comment")
    values = [f"{path}: {text}" for path, text in document_fields.scalars(hit["metadata"])]
    return " · ".join([f"{hit['bucket']}/{hit['name']}", *([comment] if comment else []), *values[:_MAX_VALUES]])
