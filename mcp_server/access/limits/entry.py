"""A limit as callers see it."""

from typing_extensions import TypedDict


class LimitEntry(TypedDict):
    """A limit, null for none, and what is used of it, null if that is not known."""

    limit: int | None
    used: int | None
