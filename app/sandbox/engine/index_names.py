"""Names of indices in responses."""

from collections.abc import Mapping
from typing import Any


def rename_indices(response: Any, names: Mapping[str, str]) -> Any:
    """Return a response in which hits tell other names of their indices."""
    if isinstance(response, list):
        return [rename_indices(each, names) for each in response]
    if isinstance(response, dict):
        return {
            key: names.get(value, value) if key == "_index" else rename_indices(value, names)
            for key, value in response.items()
        }
    return response
