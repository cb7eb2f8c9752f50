"""One index of one team as the registry knows it: its definition and its physical generations."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from indexer.engines.port import Target
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import IndexName, TeamId, alias, physical_name


@dataclass(frozen=True, slots=True)
class Generation:
    """One physical index; numbers are microseconds, so no number ever comes again."""

    number: int
    definition: IndexDefinition


@dataclass(frozen=True, slots=True)
class Building:
    """The shadow that a re-index fills; writers write to it too unless it has failed."""

    generation: Generation
    owner: str
    """Whoever rebuilds: a job's id."""
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Retiring:
    """A replaced generation that readers with an older entry, and open views, may still read."""

    generation: Generation
    until: float
    """Seconds since 1970; afterwards it may be dropped."""
    owner: str = ""
    """Whose rebuild replaced it; the same owner's next call then knows that its work is done."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the registry says about one index; `revision` is None while it is not recorded yet."""

    team: TeamId
    index: IndexName
    definition: IndexDefinition
    created_at: str
    serving: Generation | None = None
    building: Building | None = None
    retiring: tuple[Retiring, ...] = ()
    revision: str | None = None

    @property
    def alias(self) -> str:
        return alias(self.team, self.index)

    def target(self, generation: Generation) -> Target:
        return Target(physical_name(self.team, self.index, generation.number), generation.definition)

    def reading(self, number: int | None = None) -> Target | None:
        """Return what readers read: the serving generation, or the one with this number while it lives."""
        living = [self.serving, *(old.generation for old in self.retiring)]
        for generation in living:
            if generation is not None and number in {None, generation.number}:
                return self.target(generation)
        return None

    def shadow(self) -> Target | None:
        """Return what a re-index is filling, unless that has failed."""
        if self.building is None or self.building.failed is not None:
            return None
        return self.target(self.building.generation)

    def targets(self) -> list[Target]:
        """Return every physical index that a writer must write to; the serving one first."""
        serving, shadow = self.reading() if self.serving else None, self.shadow()
        retired = [self.target(old.generation) for old in self.retiring]
        return [target for target in (serving, shadow, *retired) if target is not None]

    def all_physical(self) -> list[Target]:
        """Return every physical index there may be, failed shadows too."""
        generations = [self.serving, self.building.generation if self.building else None]
        generations += [old.generation for old in self.retiring]
        return [self.target(generation) for generation in generations if generation is not None]


def entry_json(entry: Entry) -> dict[str, Any]:
    """Write an entry as the registry keeps it."""
    building = entry.building
    return {
        "format": 1,
        "definition": _definition_json(entry.definition),
        "created_at": entry.created_at,
        "serving": _generation_json(entry.serving) if entry.serving else None,
        "building": None
        if building is None
        else {
            "generation": _generation_json(building.generation),
            "owner": building.owner,
            "failed": building.failed,
        },
        "retiring": [
            {"generation": _generation_json(old.generation), "until": old.until, "owner": old.owner}
            for old in entry.retiring
        ],
    }


def entry_from(team: TeamId, index: IndexName, value: Mapping[str, Any], revision: str) -> Entry:
    """Read an entry back."""
    serving, building = value["serving"], value["building"]
    return Entry(
        team=team,
        index=index,
        definition=_definition(value["definition"]),
        created_at=value["created_at"],
        serving=_generation(serving) if serving else None,
        building=Building(_generation(building["generation"]), building["owner"], building["failed"])
        if building
        else None,
        retiring=tuple(
            Retiring(_generation(old["generation"]), old["until"], old["owner"]) for old in value["retiring"]
        ),
        revision=revision,
    )


def _definition_json(definition: IndexDefinition) -> dict[str, Any]:
    return {
        "kind": definition.kind,
        "version": definition.version,
        "analysis": asdict(definition.analysis),
        "sortable": dict(definition.sortable),
    }


def _definition(value: Mapping[str, Any]) -> IndexDefinition:
    return IndexDefinition(
        kind=value["kind"],
        version=value["version"],
        analysis=Analysis(**value["analysis"]),
        sortable=MappingProxyType(dict(value["sortable"])),
    )


def _generation_json(generation: Generation) -> dict[str, Any]:
    return {"number": generation.number, "definition": _definition_json(generation.definition)}


def _generation(value: Mapping[str, Any]) -> Generation:
    return Generation(value["number"], _definition(value["definition"]))
