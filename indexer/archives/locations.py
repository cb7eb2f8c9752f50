"""Where in the original a part of an archived text stands."""

from typing import Final

from indexer.archives.results import Location
from indexer.archives.stored import StoredFields, place_at

NO_LOCATION: Final = Location(page=None, heading=None, line=None)


def locate(fields: StoredFields, text: str, offset: int) -> Location:
    """Return page, heading and line of the original, as far as they are known."""
    place = place_at(fields, offset)
    if place is None:
        return NO_LOCATION
    start, page, heading, line = place
    return Location(page=page, heading=heading, line=line and line + text.count("\n", start, offset))
