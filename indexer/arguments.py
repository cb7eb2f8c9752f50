"""The base class of all argument models, and arguments that several operations share."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

MaxChars = Annotated[
    int | None,
    Field(ge=1_000, le=1_000_000, description="Bound on the JSON of the results in characters"),
]
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
