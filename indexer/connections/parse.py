"""Parses the connections: TOML with the settings of each team, and of all teams without their own.

    [teams.geo.osdu]
    url = "https://osdu.example.com"
    partition = "opendes"
    token = "env:GEO_OSDU_TOKEN"

    [default.web]
    api_key = "file:/run/secrets/openai"

Messages name keys, never values.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from indexer.connections.secrets import Secrets, UnreadableSecret
from indexer.connections.section import Section
from indexer.errors import Invalid, NotConfigured, closest, printable
from indexer.tenancy import TeamId, team_id

_MAX_PROBLEMS: Final = 10
_PLACE: Final = re.compile(r"at (line \d+, column \d+|end of document)")
_OUTSIDE: Final = 'give a secret as "env:NAME" or "file:PATH", never as it is'
_Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parsed:
    """All settings in the file, by section."""

    teams: Mapping[TeamId, Mapping[str, BaseModel]] = field(default_factory=dict)
    default: Mapping[str, BaseModel] = field(default_factory=dict)


class WrongConnections(NotConfigured):
    """The file cannot be used."""

    def __init__(self, problems: Sequence[str]) -> None:
        more = f"; and {len(problems) - _MAX_PROBLEMS} more" if len(problems) > _MAX_PROBLEMS else ""
        self.problems = "; ".join(problems[:_MAX_PROBLEMS]) + more
        super().__init__(
            f"Wrong connections: {self.problems}",
            action="Correct the file that TRAWL_CONNECTIONS names",
        )


def parse(text: str, sections: Sequence[Section[Any]], secrets: Secrets, *, ignore_others: bool) -> Parsed:
    """Return the settings; raises `WrongConnections`. With `ignore_others`, sections that are not named are skipped."""
    kinds = {section.name: section.settings for section in sections}
    return _Parser(kinds, secrets, ignore_others=ignore_others).parse(text)


class _Parser:
    """Collects all problems, so that an operator can correct them at once."""

    def __init__(self, kinds: Mapping[str, type[BaseModel]], secrets: Secrets, *, ignore_others: bool) -> None:
        self._kinds = kinds
        self._secrets = secrets
        self._ignore_others = ignore_others
        self._problems: list[str] = []

    def parse(self, text: str) -> Parsed:
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            # Its message may repeat a part of the file.
            place = _PLACE.search(str(error))
            raise WrongConnections([f"this is not TOML, {place[0] if place else 'somewhere'}"]) from None
        known = {
            name: table for name, table in self._tables("", tables) if self._is_known("", name, ("teams", "default"))
        }
        parsed = Parsed(
            {team: self._sections(f"teams.{team}", table) for team, table in self._teams(known.get("teams", {}))},
            self._sections("default", known.get("default", {})),
        )
        if self._problems:
            raise WrongConnections(self._problems)
        return parsed

    def _teams(self, tables: _Table) -> Iterator[tuple[TeamId, _Table]]:
        for name, table in self._tables("teams", tables):
            try:
                yield team_id(name), table
            except Invalid as error:
                self._report(_join("teams", name), f"{error.message.lower()}: {error.action}")

    def _sections(self, place: str, tables: _Table) -> dict[str, BaseModel]:
        if self._ignore_others:
            tables = {name: table for name, table in tables.items() if name in self._kinds}
        found = {
            name: self._settings(_join(place, name), self._kinds[name], table)
            for name, table in self._tables(place, tables)
            if self._is_known(place, name, self._kinds)
        }
        return {name: settings for name, settings in found.items() if settings is not None}

    def _settings(self, place: str, kind: type[BaseModel], table: _Table) -> BaseModel | None:
        before = len(self._problems)
        values = {
            key: self._value(_join(place, key), kind.model_fields[key], value)
            for key, value in table.items()
            if self._is_known(place, key, kind.model_fields)
        }
        if len(self._problems) > before:
            return None
        try:
            return _without_environment(kind)(**values)
        except ValidationError as error:
            by_alias = {str(each.validation_alias): name for name, each in kind.model_fields.items()}
            for problem in error.errors(include_input=False, include_url=False, include_context=False):
                key = str(problem["loc"][0]) if problem["loc"] else ""
                self._report(_join(place, by_alias.get(key, key)), problem["msg"].removeprefix("Value error, "))
            return None

    def _value(self, key: str, described: FieldInfo, value: Any) -> Any:
        if not isinstance(value, str):
            if _is_secret(described):
                self._report(key, _OUTSIDE)
            return value
        if Secrets.is_reference(value):
            try:
                return self._secrets.read(value)
            except UnreadableSecret as error:
                self._report(key, str(error))
                return None
        if _is_secret(described) or _holds_password(value):
            self._report(key, _OUTSIDE)
        return value

    def _tables(self, place: str, tables: _Table) -> Iterator[tuple[str, _Table]]:
        for name, table in tables.items():
            if isinstance(table, dict):
                yield name, table
            else:
                self._report(_join(place, name), "this must be a table")

    def _is_known(self, place: str, name: str, names: Collection[str]) -> bool:
        if name in names:
            return True
        best = closest(name, list(names), count=1)
        hint = f"did you mean {best[0]}?" if best else f"there are {', '.join(names)}"
        self._report(_join(place, name), f"this is not known: {hint}")
        return False

    def _report(self, key: str, problem: str) -> None:
        self._problems.append(f"{key}: {problem}")


def _join(place: str, name: str) -> str:
    return f"{place}.{printable(name)}".strip(".")


def _is_secret(described: FieldInfo) -> bool:
    return SecretStr in (described.annotation, *get_args(described.annotation))


def _holds_password(value: str) -> bool:
    try:
        return "://" in value and urlsplit(value).password is not None
    except ValueError:
        return False


@cache
def _without_environment(kind: type[BaseModel]) -> type[BaseModel]:
    """Return the same settings, read from nowhere else: a team's address must not be combined with another's token."""
    if not issubclass(kind, BaseSettings):
        return kind

    def only_given(
        _cls: type[BaseSettings],
        /,
        settings_cls: type[BaseSettings],  # noqa: ARG001 - given by name
        init_settings: PydanticBaseSettingsSource,
        **_: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)

    return type(
        kind.__name__,
        (kind,),
        {"__module__": kind.__module__, "settings_customise_sources": classmethod(only_given)},
    )
