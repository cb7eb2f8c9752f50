"""The base class of all argument models, and arguments that several operations share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from indexer.lenient import Converter, converter_for


@dataclass(frozen=True, slots=True)
class AgentDefault:
    """Annotates an argument whose default is another one for agents, because a model reads all of a result."""

    value: Any


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Annotates an argument that the listing for agents leaves out; it is accepted all the same.

    It also annotates a field of a result that the listing leaves out; it is returned all the same.
    """


AGENT_MAX_CHARS: Final = 20_000
MaxChars = Annotated[int | None, Field(ge=1_000, le=1_000_000), AgentDefault(AGENT_MAX_CHARS)]
"""The maximum length of the results as JSON, in characters."""
Detail = Literal["ids", "brief", "full"]
"""How much of each result is returned; `indexer/search/detail.py` says what that means."""
BriefDetail = Annotated[Detail, AgentDefault("brief")]
Cursor = str | None
"""`next_cursor` of the page before, with the same other arguments."""
Filters = Annotated[dict[str, Any] | None, Field(description='Like {"year": {"gte": 2020}}')]
"""Conditions that must all hold."""
Sort = Annotated[list[str] | None, Field(max_length=8, description='Like ["-year"]')]
"""Fields to sort by; without them, by relevance."""
Facets = Annotated[list[str] | None, Field(max_length=16, description="Fields to count")]
"""Fields whose ten most frequent values are counted."""
QueryText = Annotated[str, Field(description='Words, +must, -not, "phrase", prefix*')]


class Arguments(BaseModel):
    """Strict but for numbers and booleans given as text; unknown ones are refused, errors never repeat the input."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True, frozen=True)
    _converters: ClassVar[Mapping[str, Converter]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Find the fields whose values are converted."""
        converters = {name: converter_for(field.annotation) for name, field in cls.model_fields.items()}
        cls._converters = {name: convert for name, convert in converters.items() if convert is not None}

    @model_validator(mode="before")
    @classmethod
    def _convert_text(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        given = {name: convert(values[name]) for name, convert in cls._converters.items() if name in values}
        return {**values, **given}

    def stored_bytes(self) -> int:
        """Return the size of the texts or files that the call stores, after it has run."""
        return 0

    @classmethod
    def agent_defaults(cls) -> dict[str, Any]:
        """Return the defaults that differ for agents, by argument."""
        return {
            name: mark.value
            for name, field in cls.model_fields.items()
            for mark in field.metadata
            if isinstance(mark, AgentDefault)
        }

    @classmethod
    def unlisted(cls) -> frozenset[str]:
        """Return the arguments that the listing for agents leaves out."""
        fields = cls.model_fields.items()
        return frozenset(name for name, field in fields if any(isinstance(mark, Unlisted) for mark in field.metadata))
