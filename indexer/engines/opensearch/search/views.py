"""Frozen views: a point in time of the cluster, which only the index that it was opened on may use."""

from typing import Any, Final

from indexer.errors import ExpiredView
from indexer.tenancy import PhysicalName

KEEP_ALIVE: Final = "5m"
"""How long a view lives after it was last used."""


def view_of(physical: PhysicalName, point_in_time: str) -> str:
    """Return a point in time as what the port calls a view."""
    return f"{_index(physical)}:{point_in_time}"


def point_in_time_of(view: str) -> str:
    """Return what `view_of` was given."""
    return view.partition(":")[2]


def pit(view: str, physical: PhysicalName) -> dict[str, Any]:
    """Return the part of a request that reads through a view; any generation of its own index may."""
    index, _, point_in_time = view.partition(":")
    if index != _index(physical) or not point_in_time:
        raise ExpiredView
    return {"id": point_in_time, "keep_alive": KEEP_ALIVE}


def _index(physical: PhysicalName) -> str:
    return physical.rpartition(".")[0]
