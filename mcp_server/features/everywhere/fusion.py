"""One list out of several: reciprocal-rank fusion, with the same thing from several sources as one result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mcp_server.features.everywhere.asking import Outcome
from mcp_server.features.everywhere.results import AlsoIn, EverywhereHit
from mcp_server.features.everywhere.sources import Source
from mcp_server.search_source import Finding

_SMOOTHING: Final = 60
"""The usual constant: how little the first ranks of a source weigh more than its next."""
_CLOSE: Final = 0.5
"""What only resembles the words asked for comes after the first dozens of what has them."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A finding with its place: the rank in its source, and the source's among those asked."""

    finding: Finding
    source: Source
    rank: int
    order: int

    @property
    def weight(self) -> float:
        return (_CLOSE if self.finding.is_close else 1.0) / (_SMOOTHING + self.rank)


@dataclass(frozen=True, slots=True)
class _Group:
    """Members that are the same thing, best first."""

    members: list[_Member]
    score: float


def fused(outcomes: Sequence[Outcome], limit: int) -> list[EverywhereHit]:
    """Return the best of all sources; equals go to the better rank, then to the source that was named first."""
    groups = [_scored(members) for members in _grouped(_members(outcomes))]
    groups.sort(key=lambda group: (-group.score, group.members[0].rank, group.members[0].order))
    best = groups[0].score if groups else 1.0
    return [_hit(group, rank, best) for rank, group in enumerate(groups[:limit], start=1)]


def _members(outcomes: Sequence[Outcome]) -> Iterator[_Member]:
    for order, outcome in enumerate(outcomes):
        for rank, finding in enumerate(outcome.findings, start=1):
            yield _Member(finding, outcome.source, rank, order)


def _grouped(members: Iterator[_Member]) -> list[list[_Member]]:
    """Put members together that share a key, directly or by way of another."""
    groups: dict[int, list[_Member]] = {}
    holders: dict[str, int] = {}
    for number, member in enumerate(members):
        group = [member]
        for other in {holders[key] for key in member.finding.keys if key in holders}:
            group += groups.pop(other)
        groups[number] = group
        holders.update((key, number) for each in group for key in each.finding.keys)
    return list(groups.values())


def _scored(members: list[_Member]) -> _Group:
    ordered = sorted(members, key=lambda member: (-member.weight, member.order, member.rank))
    best_of_each: dict[int, float] = {}
    for member in ordered:
        best_of_each.setdefault(member.order, member.weight)
    # Added up by size, so that equals stay equal whichever source gave which part.
    return _Group(ordered, sum(best_of_each.values()))


def _hit(group: _Group, rank: int, best: float) -> EverywhereHit:
    first, *others = group.members
    finding = first.finding
    urls = (member.finding.url for member in group.members if member.finding.url)
    hit = EverywhereHit(
        source=first.source.name,
        id=finding.id,
        title=finding.title,
        url=next(urls, finding.resource),
        snippet=finding.snippet or next((member.finding.snippet for member in others if member.finding.snippet), ""),
        score=round(group.score / best, 4),
        rank=rank,
    )
    if finding.index_name is not None:
        hit["index_name"] = finding.index_name
    if others:
        hit["also_in"] = [_also(member) for member in others]
    return hit


def _also(member: _Member) -> AlsoIn:
    also = AlsoIn(source=member.source.name, id=member.finding.id)
    if member.finding.index_name is not None:
        also["index_name"] = member.finding.index_name
    return also
