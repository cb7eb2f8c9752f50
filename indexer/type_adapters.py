"""Adapters that turn dataclasses into plain values and back, built once for each type."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter


@cache
def adapter_of(type_: Any) -> TypeAdapter[Any]:
    """Return the adapter of a type. Building one takes longer than a request."""
    return TypeAdapter(type_)
