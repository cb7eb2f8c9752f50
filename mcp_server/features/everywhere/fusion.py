"""Reciprocal rank fusion of several result lists; duplicates across sources become one result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.features.everywhere.results import AlsoIn, EverywhereHit
from mcp_server.features.everywhere.sources import Source
from mcp_server.search_source import Finding

_RANK_CONSTANT: Final = 60
"""The usual constant of reciprocal rank fusion; a larger one flattens the weights of the first ranks."""
_FUZZY_WEIGHT: Final = 0.5
"""Ranks the first fuzzy match of a source below about 60 exact matches of another."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A finding with its rank in its source, and the position of the source."""

    finding: Finding
    source: Source
    rank: int
    source_order: int

    @property
    def weight(self) -> float:
        return (_FUZZY_WEIGHT if self.finding.is_close else 1.0) / (_RANK_CONSTANT + self.rank)


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of the same document, best first."""

    members: list[_Member]
    score: float

    @property
    def url(self) -> str | None:
        """The URL of the first finding that has one."""
        return next((member.finding.url for member in self.members if member.finding.url), None)

    @property
    def snippet(self) -> str:
        """The snippet of the first finding that has one."""
        return next((member.finding.snippet for member in self.members if member.finding.snippet), "")


def fuse(outcomes: Sequence[Outcome], limit: int) -> list[Group]:
    """Return the best results of all sources; ties go to the better rank, then to the source named first."""
    groups = [_score_group(members) for members in _group_by_key(_members(outcomes))]
    groups.sort(key=lambda group: (-group.score, group.members[0].rank, group.members[0].source_order))
    return groups[:limit]


def build_hits(groups: Sequence[Group]) -> list[EverywhereHit]:
    """Return the results in the shape that callers get."""
    best = groups[0].score if groups else 1.0
    return [_build_hit(group, rank, best) for rank, group in enumerate(groups, start=1)]


def _members(outcomes: Sequence[Outcome]) -> Iterator[_Member]:
    for source_order, outcome in enumerate(outcomes):
        for rank, finding in enumerate(outcome.findings, start=1):
            yield _Member(finding, outcome.source, rank, source_order)


def _group_by_key(members: Iterator[_Member]) -> list[list[_Member]]:
    """Group members that share a key, directly or transitively, and members of two sources with the same content."""
    groups: dict[int, list[_Member]] = {}
    group_of_key: dict[str, int] = {}
    for number, member in enumerate(members):
        group = [member]
        for other in {group_of_key[key] for key in member.finding.keys if key in group_of_key}:
            group += groups.pop(other)
        if (twin := _twin_group(member, groups)) is not None:
            group += groups.pop(twin)
        groups[number] = group
        group_of_key.update((key, number) for each in group for key in each.finding.keys)
    return list(groups.values())


def _twin_group(member: _Member, groups: Mapping[int, list[_Member]]) -> int | None:
    """Return the group with the same content in another source: equal documents of one source are kept apart."""
    contents = member.finding.contents
    if not contents:
        return None
    for number, group in groups.items():
        has_content = any(not contents.isdisjoint(each.finding.contents) for each in group)
        if has_content and all(each.source_order != member.source_order for each in group):
            return number
    return None


def _score_group(members: list[_Member]) -> Group:
    ordered = sorted(members, key=lambda member: (-member.weight, member.source_order, member.rank))
    best_weights: dict[int, float] = {}
    for member in ordered:
        best_weights.setdefault(member.source_order, member.weight)
    # Weights are summed in descending order, so that float rounding does not depend on the order of the sources.
    return Group(ordered, sum(best_weights.values()))


def _build_hit(group: Group, rank: int, best: float) -> EverywhereHit:
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
    return hit


def _also_in(member: _Member) -> AlsoIn:
    result = AlsoIn(source=member.source.name, id=member.finding.id)
    if member.finding.index_name is not None:
        result["index_name"] = member.finding.index_name
    return result
