"""One index of one team as the registry knows it: its definition and its physical generations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from indexer.engines.port import Target
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import IndexName, TeamId, alias, physical_name


@dataclass(frozen=True, slots=True)
class Generation:
    """One physical index; numbers are microseconds, so no number ever comes again."""

    number: int
    definition: IndexDefinition


@dataclass(frozen=True, slots=True)
class ShadowRecord:
    """The shadow that a re-index fills; writers write to it too unless it has failed."""

    generation: Generation
    owner: str
    """Whoever rebuilds: a job's id."""
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class RetiredGeneration:
    """A replaced generation that readers with an older record, and open views, may still read."""

    generation: Generation
    until: float
    """Seconds since 1970; afterwards it may be dropped."""
    owner: str = ""
    """Whose rebuild replaced it; the same owner's next call then knows that its work is done."""


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """What the registry says about one index; `revision` is None while it is not recorded yet."""

    team: TeamId
    index: IndexName
    definition: IndexDefinition
    created_at: str
    serving: Generation | None = None
    shadow: Annotated[ShadowRecord | None, Field(alias="building")] = None
    retired: Annotated[tuple[RetiredGeneration, ...], Field(alias="retiring")] = ()
    revision: str | None = None

    @property
    def alias(self) -> str:
        return alias(self.team, self.index)

    def target(self, generation: Generation) -> Target:
        return Target(physical_name(self.team, self.index, generation.number), generation.definition)

    def serving_target(self, number: int | None = None) -> Target | None:
        """Return what readers read: the serving generation, or the one with this number while it lives."""
        living = [self.serving, *(old.generation for old in self.retired)]
        for generation in living:
            if generation is not None and number in {None, generation.number}:
                return self.target(generation)
        return None

    def shadow_target(self) -> Target | None:
        """Return what a re-index is filling, unless that has failed."""
        if self.shadow is None or self.shadow.failed is not None:
            return None
        return self.target(self.shadow.generation)

    def targets(self) -> list[Target]:
        """Return every physical index that a writer must write to; the serving one first."""
        serving, shadow = self.serving_target() if self.serving else None, self.shadow_target()
        retired = [self.target(old.generation) for old in self.retired]
        return [target for target in (serving, shadow, *retired) if target is not None]

    def all_physical(self) -> list[Target]:
        """Return every physical index there may be, failed shadows too."""
        generations = [self.serving, self.shadow.generation if self.shadow else None]
        generations += [old.generation for old in self.retired]
        return [self.target(generation) for generation in generations if generation is not None]


_STORED: Final = TypeAdapter(IndexRecord)
_KEY_FIELDS: Final = {"team", "index", "revision"}
"""In the key and the revision of the stored record, not in its value."""


def stored_value(record: IndexRecord) -> dict[str, Any]:
    """Write a record as the registry keeps it."""
    value: dict[str, Any] = _STORED.dump_python(record, mode="json", by_alias=True, exclude=_KEY_FIELDS)
    return {"format": 1, **value}


def index_record(team: TeamId, index: IndexName, value: Mapping[str, Any], revision: str) -> IndexRecord:
    """Read a record back."""
    fields = {name: field for name, field in value.items() if name != "format"}
    return _STORED.validate_python({**fields, "team": team, "index": index, "revision": revision})
