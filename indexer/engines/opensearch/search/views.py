"""Views: a point in time (PIT), bound to the logical index that it was opened on."""

from typing import Any, Final

from indexer.engines.port import VIEW_IDLE_SECONDS
from indexer.errors import ExpiredView
from indexer.tenancy import PhysicalName

KEEP_ALIVE: Final = f"{VIEW_IDLE_SECONDS}s"
"""A view expires after this time without use."""


def view_of(physical: PhysicalName, point_in_time: str) -> str:
    """Return the port's view for a point in time."""
    return f"{_logical_index(physical)}:{point_in_time}"


def point_in_time_of(view: str) -> str:
    """Return the point in time that `view_of` encoded."""
    return view.partition(":")[2]


def pit_of_view(view: str, physical: PhysicalName) -> dict[str, Any]:
    """Return the option `pit` of a search. All generations of the view's logical index may use it."""
    index, _, point_in_time = view.partition(":")
    if index != _logical_index(physical) or not point_in_time:
        raise ExpiredView
    return pit(point_in_time)


def pit(point_in_time: str) -> dict[str, Any]:
    """Return the option `pit` of a search that reads, and keeps open, this point in time."""
    return {"id": point_in_time, "keep_alive": KEEP_ALIVE}


def _logical_index(physical: PhysicalName) -> str:
    return physical.rpartition(".")[0]
