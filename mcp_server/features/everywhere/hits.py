"""Builds the results that callers get from groups of findings."""

from collections.abc import Sequence
from typing import Final

from indexer.arguments import Detail
from indexer.text.truncate import SizeLimits, shorten_highlight, shorten_title, shorten_value
from mcp_server.document_ids import SOURCES_OF_DOCUMENTS, DocumentKey
from mcp_server.features.everywhere.groups import Group, Member
from mcp_server.features.everywhere.results import AlsoIn, EverywhereHit

_MAX_PARTS: Final = 12
"""Of an explanation."""


def build_hits(groups: Sequence[Group], *, start: int = 0, detail: Detail = "brief") -> list[EverywhereHit]:
    """Return the results from this position on; only in full do they have passages, fields and explanations."""
    best = groups[0].score if groups else 1.0
    return [_build_hit(group, rank, best, detail) for rank, group in enumerate(groups[start:], start=start + 1)]


def shorten_hit(hit: EverywhereHit, limits: SizeLimits) -> EverywhereHit:
    """Shorten the title, the texts and the lists of a result."""
    short = EverywhereHit(**hit)
    short["title"] = shorten_title(hit["title"], limits)
    short["snippet"] = shorten_highlight(hit["snippet"], limits.characters) if limits.highlights else ""
    if "also_in" in hit:
        short["also_in"] = hit["also_in"][: limits.items]
    if "passages" in hit:
        short["passages"] = [
            {**passage, "text": shorten_highlight(passage["text"], limits.characters)}
            for passage in hit["passages"][: limits.highlights]
        ]
    if "fields" in hit:
        short["fields"] = shorten_value(hit["fields"], limits)
    if "explanation" in hit:
        short["explanation"] = hit["explanation"][: limits.items]
    return short


def _build_hit(group: Group, rank: int, best: float, detail: Detail) -> EverywhereHit:
    first, *others = group.members
    finding = first.finding
    hit = EverywhereHit(
        source=first.source.name,
        id=finding.id,
        title=finding.title,
        url=group.url or finding.resource,
        snippet=group.snippet,
        score=round(group.score / best, 4),
        rank=rank,
    )
    if finding.index_name is not None:
        hit["index_name"] = finding.index_name
    if first.source.is_sandbox:
        hit["sandbox"] = True
    if others:
        hit["also_in"] = [_also_in(member) for member in others]
    if detail == "full":
        _add_details(hit, group)
    return hit


def _also_in(member: Member) -> AlsoIn:
    result = AlsoIn(source=member.source.name, id=member.finding.id)
    if member.finding.index_name is not None:
        result["index_name"] = member.finding.index_name
    return result


def _add_details(hit: EverywhereHit, group: Group) -> None:
    """Add what the first finding that has any of it tells."""
    all_details = [member.finding.details() for member in group.members]
    hit["fetch_id"] = next(
        (_fetch_id(each) for each in group.members if each.source.name in SOURCES_OF_DOCUMENTS), None
    )
    hit["matched"] = "fuzzy" if all(member.finding.is_close for member in group.members) else "exact"
    hit["passages"] = next((each.passages for each in all_details if each.passages), [])
    hit["fields"] = next((each.fields for each in all_details if each.fields), {})
    explanation = next((each.explanation for each in all_details if each.explanation), [])
    if explanation:
        hit["explanation"] = explanation[:_MAX_PARTS]


def _fetch_id(member: Member) -> str:
    return DocumentKey(member.source.name, *member.finding.key).encode()
