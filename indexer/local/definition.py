"""The definition of a local index: its version, and the options that a user chooses on creation."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from indexer.errors import Invalid, closest
from indexer.schema.definition import Analysis, IndexDefinition, SortType
from indexer.schema.languages import LANGUAGES
from indexer.schema.metadata_terms import MAX_KEY_LENGTH

LOCAL_VERSION: Final = 2
"""Raise it whenever the same options are indexed differently; older indices are then outdated."""
LOCAL: Final = IndexDefinition(kind="local", version=LOCAL_VERSION, range_codes=True)
"""The definition with default options."""
_MAX_SORTABLE: Final = 32


class TokenizerChoice(Protocol):
    """The user's options for tokens."""

    @property
    def lowercase(self) -> bool: ...
    @property
    def min_length(self) -> int: ...
    @property
    def language(self) -> str: ...


def local_definition(tokenizer: TokenizerChoice, sortable: Mapping[str, SortType]) -> IndexDefinition:
    """Build a definition from the user's options, which are checked."""
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
        range_codes=True,
    )


def _check_sortable(sortable: Mapping[str, SortType]) -> None:
    if len(sortable) > _MAX_SORTABLE:
        raise Invalid("Too many sortable_fields", action=f"Declare at most {_MAX_SORTABLE} fields")
    for field in sortable:
        if not 1 <= len(field) <= MAX_KEY_LENGTH or not field.isprintable() or field.startswith("-"):
            raise Invalid(
                "Invalid name in sortable_fields",
                action=f"Use names of 1 to {MAX_KEY_LENGTH} printable characters that do not start with -",
            )
