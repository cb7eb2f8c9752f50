"""Puts the findings of several sources in one order: by reciprocal rank fusion, or by the values of fields."""

from collections.abc import Sequence
from typing import Final

from indexer.engines.sorting import in_order
from indexer.query.ast import SortKey
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.features.everywhere.groups import Group, Member, group_findings

_RANK_CONSTANT: Final = 60
"""The usual constant of reciprocal rank fusion; a larger one flattens the weights of the first ranks."""
_FUZZY_WEIGHT: Final = 0.5
"""Ranks the first fuzzy match of a source below about 60 exact matches of another."""


def fuse(outcomes: Sequence[Outcome], limit: int) -> list[Group]:
    """Return the best results of all sources; ties go to the better rank, then to the source named first."""
    groups = [_score_group(members) for members in group_findings(outcomes)]
    groups.sort(key=lambda group: (-group.score, group.members[0].rank, group.members[0].source_order))
    return groups[:limit]


def sort_findings(outcomes: Sequence[Outcome], keys: Sequence[SortKey], limit: int) -> list[Group]:
    """Return the first results of all sources by the values of the keys: missing ones last, ties by id."""
    groups = [in_order(members, keys, _position) for members in group_findings(outcomes)]
    groups = in_order(groups, keys, lambda members: _position(members[0]))
    return [Group(members, _reciprocal(rank)) for rank, members in enumerate(groups[:limit], start=1)]


def _position(member: Member) -> list[object]:
    finding = member.finding
    return [*finding.sort_values, (finding.id, member.source_order, finding.index_name or "")]


def _score_group(members: list[Member]) -> Group:
    ordered = sorted(members, key=lambda member: (-_weight(member), member.source_order, member.rank))
    best_weights: dict[int, float] = {}
    for member in ordered:
        best_weights.setdefault(member.source_order, _weight(member))
    # Weights are summed in descending order, so that float rounding does not depend on the order of the sources.
    return Group(ordered, sum(best_weights.values()))


def _weight(member: Member) -> float:
    return _reciprocal(member.rank) * (_FUZZY_WEIGHT if member.finding.is_close else 1.0)


def _reciprocal(rank: int) -> float:
    return 1.0 / (_RANK_CONSTANT + rank)
