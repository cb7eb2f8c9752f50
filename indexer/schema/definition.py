"""The definition of an index: its kind, version, analysis and sortable fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import PlainSerializer

SortType = Literal["string", "number", "date", "boolean"]
Kind = Literal["local", "archive"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """How text becomes tokens; `schema/analysis.py` implements it."""

    lowercase: bool = True
    min_length: int = 2
    language: str = "english"


@dataclass(frozen=True, slots=True)
class IndexDefinition:
    """Everything an engine needs to create, fill and read an index."""

    kind: Kind
    version: int
    analysis: Analysis = field(default_factory=Analysis)
    sortable: Annotated[Mapping[str, SortType], PlainSerializer(dict)] = field(
        default_factory=lambda: MappingProxyType({})
    )
    range_codes: bool = False
    """Whether numbers and dates have codes for ranges (`schema/range_codes.py`); older indices have none."""
