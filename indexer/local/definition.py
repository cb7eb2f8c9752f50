"""Local indices: what a user may choose when creating one, and the version of what we make of it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from indexer.errors import Invalid, closest
from indexer.schema.definition import Analysis, IndexDefinition, SortType
from indexer.schema.languages import LANGUAGES
from indexer.schema.metadata_terms import LONGEST_KEY

LOCAL_VERSION: Final = 1
"""Raised whenever the same choices would be indexed in another way; older indices are then outdated."""
LOCAL: Final = IndexDefinition(kind="local", version=LOCAL_VERSION)
"""What an index is when nothing is chosen."""
_MOST_SORTABLE: Final = 32


class TokenizerChoice(Protocol):
    """How the user wants text to become tokens."""

    @property
    def lowercase(self) -> bool: ...
    @property
    def min_length(self) -> int: ...
    @property
    def language(self) -> str: ...


def local_definition(tokenizer: TokenizerChoice, sortable: Mapping[str, SortType]) -> IndexDefinition:
    """Check the user's choices and make a definition of them."""
    language = tokenizer.language.lower()
    if language not in LANGUAGES:
        raise Invalid(
            "Unknown language in tokenizer_config",
            action=f"Use one of {', '.join(LANGUAGES)}",
            details={"languages": list(LANGUAGES), "closest": closest(language, LANGUAGES)},
        )
    _check_sortable(sortable)
    analysis = Analysis(lowercase=tokenizer.lowercase, min_length=tokenizer.min_length, language=language)
    return IndexDefinition(
        kind="local",
        version=LOCAL_VERSION,
        analysis=analysis,
        sortable=MappingProxyType(dict(sortable)),
    )


def _check_sortable(sortable: Mapping[str, SortType]) -> None:
    if len(sortable) > _MOST_SORTABLE:
        raise Invalid("Too many sortable_fields", action=f"Declare at most {_MOST_SORTABLE} fields")
    for field in sortable:
        if not 1 <= len(field) <= LONGEST_KEY or not field.isprintable() or field.startswith("-"):
            raise Invalid(
                "Invalid name in sortable_fields",
                action=f"Use names of 1 to {LONGEST_KEY} printable characters that do not start with -",
            )
