"""Findings of the same document in several sources: the same URL or DOI, or the same text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_server.content import Content
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.features.everywhere.sources import Source
from mcp_server.search_source import Finding


@dataclass(frozen=True, slots=True)
class Member:
    """A finding with its rank in its source, and the position of the source."""

    finding: Finding
    source: Source
    rank: int
    source_order: int


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of the same document, best first."""

    members: list[Member]
    score: float

    @property
    def url(self) -> str | None:
        """The URL of the first finding that has one."""
        return next((member.finding.url for member in self.members if member.finding.url), None)

    @property
    def snippet(self) -> str:
        """The snippet of the first finding that has one."""
        return next((member.finding.snippet for member in self.members if member.finding.snippet), "")


def group_findings(outcomes: Sequence[Outcome]) -> list[list[Member]]:
    """Group findings that share a key, directly or transitively, and findings of two sources with the same content."""
    groups = _Groups()
    for number, member in enumerate(_members(outcomes)):
        groups.add(number, member)
    return list(groups.by_number.values())


def _members(outcomes: Sequence[Outcome]) -> Iterator[Member]:
    for source_order, outcome in enumerate(outcomes):
        for rank, finding in enumerate(outcome.findings, start=1):
            yield Member(finding, outcome.source, rank, source_order)


class _Groups:
    """Groups by numbers that grow; a group that takes in others gets a new number."""

    def __init__(self) -> None:
        self.by_number: dict[int, list[Member]] = {}
        self._of_key: dict[str, int] = {}
        self._of_last_word: dict[str, list[int]] = {}
        """The groups with a text that ends so. Some of them may have been taken in by others."""

    def add(self, number: int, member: Member) -> None:
        group = [member]
        for other in {self._of_key[key] for key in member.finding.keys if key in self._of_key}:
            group += self.by_number.pop(other)
        if (twin := self._twin_group(member)) is not None:
            group += self.by_number.pop(twin)
        self.by_number[number] = group
        for finding in (each.finding for each in group):
            self._of_key.update((key, number) for key in finding.keys)
            if finding.content is not None:
                self._of_last_word.setdefault(finding.content.last_word, []).append(number)

    def _twin_group(self, member: Member) -> int | None:
        """Return the group with the same content in another source: equal documents of one source are kept apart."""
        content = member.finding.content
        if content is None:
            return None
        numbers = self.by_number.keys() & self._of_last_word.get(content.last_word, ())
        return next((number for number in sorted(numbers) if self._is_twin(member, content, number)), None)

    def _is_twin(self, member: Member, content: Content, number: int) -> bool:
        group = self.by_number[number]
        if any(each.source_order == member.source_order for each in group):
            return False
        others = (each.finding.content for each in group)
        return any(other is not None and content.equals(other) for other in others)
