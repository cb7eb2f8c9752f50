"""Where in the original a passage stands."""

from indexer.archives.results import Location
from indexer.archives.stored import StoredFields, place_at


def archive_location(fields: StoredFields, text: str, offset: int) -> Location:
    """Return page, heading and line of the original, as far as they are known."""
    place = place_at(fields, offset)
    if place is None:
        return Location(page=None, heading=None, line=None)
    start, page, heading, line = place
    return Location(page=page, heading=heading, line=line and line + text.count("\n", start, offset))


def text_location(text: str, offset: int) -> Location:
    """Return the line of a text that has neither pages nor headings."""
    return Location(page=None, heading=None, line=1 + text.count("\n", 0, offset))
