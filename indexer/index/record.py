"""The registry's record of one index: its definition and its physical generations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from indexer.engines.port import Target
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import IndexName, TeamId, alias, physical_name


@dataclass(frozen=True, slots=True)
class Generation:
    """One physical index. Its number is its creation time in microseconds, so numbers are never reused."""

    number: int
    definition: IndexDefinition


@dataclass(frozen=True, slots=True)
class ShadowRecord:
    """The new generation that a re-index fills. Writers write to it too, unless it has failed."""

    generation: Generation
    owner: str
    """The ID of the job that rebuilds."""
    failed: str | None = None
    """Why the rebuild failed; None while it runs."""


@dataclass(frozen=True, slots=True)
class RetiredGeneration:
    """A replaced generation, kept for readers with a cached record and for open point-in-time views."""

    generation: Generation
    until: float
    """End of the grace time, in seconds since 1970; then it may be dropped."""
    owner: str = ""
    """The job whose rebuild replaced it. A retry of that job finds its ID here and does not rebuild again."""


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """One logical index. `revision` is the record's own, for compare-and-set; None if it was never saved."""

    team: TeamId
    index: IndexName
    definition: IndexDefinition
    created_at: str
    serving: Generation | None = None
    # The aliases are the names in stored records.
    shadow: Annotated[ShadowRecord | None, Field(alias="building")] = None
    retired: Annotated[tuple[RetiredGeneration, ...], Field(alias="retiring")] = ()
    revision: str | None = None

    @property
    def alias(self) -> str:
        return alias(self.team, self.index)

    def target(self, generation: Generation) -> Target:
        return Target(physical_name(self.team, self.index, generation.number), generation.definition)

    def serving_target(self, number: int | None = None) -> Target | None:
        """Return the generation to read: the serving one, or the one with this number if it still exists."""
        generations = [self.serving, *(old.generation for old in self.retired)]
        for generation in generations:
            if generation is not None and number in {None, generation.number}:
                return self.target(generation)
        return None

    def shadow_target(self) -> Target | None:
        """Return the shadow of a running re-index; None if there is none or it has failed."""
        if self.shadow is None or self.shadow.failed is not None:
            return None
        return self.target(self.shadow.generation)

    def targets(self) -> list[Target]:
        """Return every physical index that a writer must write to, the serving one first."""
        serving, shadow = self.serving_target() if self.serving else None, self.shadow_target()
        retired = [self.target(old.generation) for old in self.retired]
        return [target for target in (serving, shadow, *retired) if target is not None]

    def all_physical(self) -> list[Target]:
        """Return every physical index that may exist, failed shadows included."""
        generations = [self.serving, self.shadow.generation if self.shadow else None]
        generations += [old.generation for old in self.retired]
        return [self.target(generation) for generation in generations if generation is not None]


_ADAPTER: Final = TypeAdapter(IndexRecord)
_KEY_FIELDS: Final = {"team", "index", "revision"}
"""Stored in the record's key and revision, not in its value."""


def stored_value(record: IndexRecord) -> dict[str, Any]:
    """Serialize a record for the registry."""
    value: dict[str, Any] = _ADAPTER.dump_python(record, mode="json", by_alias=True, exclude=_KEY_FIELDS)
    return {"format": 1, **value}


def index_record(team: TeamId, index: IndexName, value: Mapping[str, Any], revision: str) -> IndexRecord:
    """Deserialize a record that `stored_value` wrote."""
    fields = {name: field for name, field in value.items() if name != "format"}
    return _ADAPTER.validate_python({**fields, "team": team, "index": index, "revision": revision})
