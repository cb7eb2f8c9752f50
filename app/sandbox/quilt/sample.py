"""Sample contents: the data of invented fishery and ocean surveys, as objects in S3 and as packages."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from app.sandbox.quilt.contents import Entry, QuiltContents, QuiltObject, QuiltPackage, Revision

_SURVEYS: Final = "sandbox-surveys"
_SENSORS: Final = "sandbox-sensors"
_START: Final = datetime(2024, 3, 1, 8, tzinfo=UTC)
_SPECIES: Final = ("cod", "haddock", "plaice", "herring")
_GEARS: Final = ("otter trawl", "beam trawl", "longline")
_STATIONS: Final = 8


def sample_contents() -> QuiltContents:
    """Return two buckets with about 60 objects and 20 packages, always the same."""
    objects = (*_hauls(), *_casts(), *_notes())
    packages = (*_haul_packages(), *_cast_packages())
    return QuiltContents((_SURVEYS, _SENSORS), objects, packages)


def _hauls() -> Iterator[QuiltObject]:
    for number in range(1, 25):
        species, gear = _SPECIES[number % 4], _GEARS[number % 3]
        content = f"station,species,gear,kilograms\n{1 + number % _STATIONS},{species},{gear},{40 + 7 * number}"
        yield _object(_SURVEYS, f"hauls/2024/haul-{number:02}.csv", number, content)


def _casts() -> Iterator[QuiltObject]:
    for station in range(1, _STATIONS + 1):
        text = f"CTD cast at station {station}: salinity, temperature and pressure by depth"
        yield _object(_SENSORS, f"ctd/station-{station}/cast.csv", station, text)
        yield _object(_SENSORS, f"ctd/station-{station}/profile.png", station, "")
        sonar = f"Echo sounder, 38 kHz, recorded near station {station}"
        yield _object(_SENSORS, f"sonar/station-{station}.raw", station, sonar)


def _notes() -> Iterator[QuiltObject]:
    for day in range(1, 11):
        text = f"Day {day}: {_GEARS[day % 3]} set twice, {_SPECIES[day % 4]} dominated the catch. Mesh size 100 mm."
        yield _object(_SURVEYS, f"notes/day {day}.md", day, text)
    text = "Sample data of a sandbox: nothing here was measured."
    yield _object(_SURVEYS, "README.md", 1, text)
    yield QuiltObject(_SURVEYS, "hauls/2024/withdrawn.csv", "v9", 0, _START + timedelta(days=40), deleted=True)


def _haul_packages() -> Iterator[QuiltPackage]:
    for place, species in enumerate(_SPECIES):
        for gear in _GEARS:
            name = f"fishery/{species}-by-{gear.replace(' ', '-')}"
            meta = {"species": species, "gear": gear, "year": 2024, "hauls": 6 + place, "reviewed": place % 2 == 0}
            yield _package(
                _SURVEYS, name, f"Catches of {species} by {gear}", meta, _keys("hauls/2024/haul-", 6 + place)
            )


def _cast_packages() -> Iterator[QuiltPackage]:
    for station in range(1, _STATIONS + 1):
        meta: dict[str, Any] = {"station": station, "instrument": "CTD", "collected": f"2024-03-{station:02}"}
        key = f"ctd/station-{station}/cast.csv"
        yield _package(_SENSORS, f"ocean/ctd-station-{station}", f"CTD profile of station {station}", meta, [key])


def _package(bucket: str, name: str, message: str, meta: dict[str, Any], keys: list[str]) -> QuiltPackage:
    """Return a package of two revisions; the first lacks its last file."""
    entries = [Entry(key.rpartition("/")[2], f"s3://{bucket}/{key}?versionId=v1", 2_048) for key in keys]
    first = Revision(
        _START + timedelta(days=10), f"{message}, first draft", meta | {"draft": True}, tuple(entries[:-1])
    )
    latest = Revision(_START + timedelta(days=20, minutes=len(name)), message, meta, tuple(entries))
    return QuiltPackage(bucket, name, (first, latest))


def _keys(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number:02}.csv" for number in range(1, count + 1)]


def _object(bucket: str, key: str, day: int, content: str) -> QuiltObject:
    return QuiltObject(bucket, key, "v1", 256 + 64 * day + len(content), _START + timedelta(days=day), content)
