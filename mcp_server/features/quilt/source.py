"""Quilt's catalog as a source."""

import re
from typing import Final

from indexer.query.parse_text import Clause
from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields as stated
from mcp_server.features.quilt.operations import SEARCH
from mcp_server.features.quilt.results import CatalogHit
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.lucene.clauses import lucene
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "TO"})
_MOST_VALUES: Final = 6


async def ask_quilt(services: Services, principal: Principal, question: Question) -> Answer:
    """Find packages and objects."""
    result = await run(SEARCH, services, principal, {"query": _query(question), "limit": question.depth})
    unwanted = [_pattern(clause) for clause in question.clauses if clause.sign == "-"]
    # Some catalogs look for a query in each group of fields by itself: a word that one of them lacks is excluded there.
    return Answer([_finding(hit) for hit in result["results"] if not _has_any(hit, unwanted)])


SOURCE: Final = SearchSource("quilt", SEARCH, ask_quilt, upstream=QUILT)


def _query(question: Question) -> str:
    """Write plain words as they are, for every catalog reads them alike, and all else in Lucene's syntax."""
    if all(_is_plain(clause) for clause in question.clauses):
        return " ".join(clause.text for clause in question.clauses)
    return lucene(question.clauses)


def _is_plain(clause: Clause) -> bool:
    return clause.kind == "word" and not clause.sign and clause.text.isalnum() and clause.text not in _OPERATORS


def _pattern(clause: Clause) -> re.Pattern[str]:
    words = r"\W+".join(re.escape(word) for word in clause.text.split())
    return re.compile(rf"(?<!\w){words}" + ("" if clause.kind == "prefix" else r"(?!\w)"), re.IGNORECASE)


def _has_any(hit: CatalogHit, unwanted: list[re.Pattern[str]]) -> bool:
    texts = [hit["name"], hit.get("comment", ""), *(text for _, text in stated.scalars(hit["metadata"]))]
    return any(pattern.search(text) for pattern in unwanted for text in texts)


def _finding(hit: CatalogHit) -> Finding:
    metadata = hit["metadata"]
    return Finding(
        id=hit["id"],
        title=stated.title(hit["title"] or hit["name"]),
        snippet=stated.plain(_text(hit)),
        url=hit["s3_uri"],
        keys=stated.keys_of(stated.stated_url(metadata), stated.stated_doi(metadata)),
    )


def _text(hit: CatalogHit) -> str:
    """Return what there is to read about a hit: where it lies, its message, some of its metadata."""
    comment = hit.get("comment")
    values = [f"{path}: {text}" for path, text in stated.scalars(hit["metadata"])]
    return " · ".join([f"{hit['bucket']}/{hit['name']}", *([comment] if comment else []), *values[:_MOST_VALUES]])
