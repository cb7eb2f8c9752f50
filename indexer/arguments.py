"""The base class of all argument models, and arguments that several operations share."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True)
class AgentDefault:
    """Annotates an argument whose default is another one for agents, because a model reads all of a result."""

    value: Any


AGENT_MAX_CHARS: Final = 20_000
MaxChars = Annotated[
    int | None,
    Field(ge=1_000, le=1_000_000, description="Bound on the JSON of the results in characters"),
    AgentDefault(AGENT_MAX_CHARS),
]
DetailLevel = Literal["ids", "brief", "full"]
"""How much of each result is returned; `indexer/search/detail.py` says what that means."""
Detail = Annotated[DetailLevel, Field(description="How much of each result")]
BriefDetail = Annotated[Detail, AgentDefault("brief")]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before, with the same other arguments")]
Filters = Annotated[
    dict[str, Any] | None,
    Field(
        description=(
            'Conditions that must all hold: {"field": value | [any of] | {"gte","gt","lte","lt"} | '
            '{"exists": true|false} | {"not": value or list} | {"prefix": "text"}}'
        ),
    ),
]
Sort = Annotated[
    list[str] | None,
    Field(max_length=8, description='Fields to sort by, "-field" for descending; the default is by relevance'),
]
Facets = Annotated[
    list[str] | None, Field(max_length=16, description="Fields whose ten most frequent values are counted")
]
QueryText = Annotated[
    str,
    Field(
        description='Words; +must, -must not, "a phrase", prefix*, or * alone for everything',
    ),
]


class Arguments(BaseModel):
    """Strict: nothing is converted, unknown arguments are refused, and errors never repeat the input."""

    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True, frozen=True)

    @classmethod
    def agent_defaults(cls) -> dict[str, Any]:
        """Return the defaults that differ for agents, by argument."""
        return {
            name: mark.value
            for name, field in cls.model_fields.items()
            for mark in field.metadata
            if isinstance(mark, AgentDefault)
        }
