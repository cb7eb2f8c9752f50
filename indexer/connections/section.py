"""A section of the connections: what a team may connect to, with the settings of that."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from indexer.tenancy import TeamId

Settings = TypeVar("Settings", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Section(Generic[Settings]):
    """A part of the file, like `[teams.geo.osdu]`; its keys are the fields of the settings."""

    name: str
    settings: type[Settings]


@dataclass(frozen=True, slots=True)
class Connection(Generic[Settings]):
    """The settings of one section, and the team that has them alone; None if they are for all other teams."""

    owner: TeamId | None
    settings: Settings
