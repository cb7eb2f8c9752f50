"""The Quilt catalog as a source of `search_everywhere`."""

import re
from typing import Final

from indexer.query.parse_text import Clause
from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.quilt.operations import SEARCH
from mcp_server.features.quilt.results import CatalogHit
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.lucene.clauses import lucene
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "TO"})
_MAX_VALUES: Final = 6


async def search_quilt(services: Services, principal: Principal, question: Question) -> Answer:
    """Search packages and objects."""
    result = await run(SEARCH, services, principal, {"query": _query(question), "limit": question.depth})
    excluded = [_pattern(clause) for clause in question.clauses if clause.sign == "-"]
    # Some catalogs apply an exclusion to each group of fields separately, so excluded words are filtered here again.
    findings = [_finding(hit) for hit in result["results"] if not _matches_any(hit, excluded)]
    return Answer(findings, total=result["total_results"])


SOURCE: Final = SearchSource("quilt", SEARCH, search_quilt, upstream=QUILT)


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


def _finding(hit: CatalogHit) -> Finding:
    metadata = hit["metadata"]
    return Finding(
        id=hit["id"],
        title=document_fields.title(hit["title"] or hit["name"]),
        snippet=document_fields.plain(_summary(hit)),
        url=hit["s3_uri"],
        keys=document_fields.keys_of(document_fields.stated_url(metadata), document_fields.stated_doi(metadata)),
    )


def _summary(hit: CatalogHit) -> str:
    """Return the path, the comment and some metadata of a hit."""
    comment = hit.get("comment")
    values = [f"{path}: {text}" for path, text in document_fields.scalars(hit["metadata"])]
    return " · ".join([f"{hit['bucket']}/{hit['name']}", *([comment] if comment else []), *values[:_MAX_VALUES]])
