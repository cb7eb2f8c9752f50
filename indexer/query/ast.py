"""The query tree, independent of index and engine. `validate` builds it, each engine's `compile` translates it."""

from dataclasses import dataclass

from indexer.schema.values import Bound, Scalar


@dataclass(frozen=True, slots=True)
class Everything:
    """Matches all documents with a score of 1."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Matches no document."""


@dataclass(frozen=True, slots=True)
class Word:
    """One unstemmed token of the index's tokenizer. Matches the stemmed field; scored by BM25."""

    token: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Two or more adjacent tokens in this order, or one exact token. Matches the unstemmed field."""

    tokens: tuple[str, ...]
    score: float | None = None
    """A constant score; None for BM25."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of a token. Matches the unstemmed field with a constant score of 1."""

    token: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A token that occurs nowhere, and the tokens in its place. Each matches as `Word` does; the best score counts."""

    token: str
    corrections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnyValue:
    """The field has one of these values, of the same type. Strings are compared whole and case-sensitively."""

    field: str
    values: tuple[Scalar, ...]
    internal: bool = False
    """Whether the values are internal terms, which neither metadata nor filters of users can reach."""


@dataclass(frozen=True, slots=True)
class Within:
    """The field has a value within the bounds, of their type. A day is already expanded to its start or end."""

    field: str
    gte: Bound | None = None
    gt: Bound | None = None
    lte: Bound | None = None
    lt: Bound | None = None


@dataclass(frozen=True, slots=True)
class Exists:
    """The field has any value."""

    field: str


@dataclass(frozen=True, slots=True)
class StartsWith:
    """The field has a string value with this prefix; case-sensitive."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Identified:
    """The document has one of these ids."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Combined:
    """A boolean query: all of `must` and `where`, none of `must_not`, and at least one of `any_of` if it has any.

    The scores of `must`, `any_of` and `ranking` add up; `ranking` affects only the score. `where` and `must_not` never
    score. With only `where` and `must_not`, every match has a score of 1.
    """

    must: tuple["Query", ...] = ()
    any_of: tuple["Query", ...] = ()
    ranking: tuple["Query", ...] = ()
    where: tuple["Query", ...] = ()
    must_not: tuple["Query", ...] = ()


Query = (
    Everything
    | Nothing
    | Word
    | Phrase
    | Prefix
    | Corrected
    | AnyValue
    | Within
    | Exists
    | StartsWith
    | Identified
    | Combined
)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One sort key; missing values come last in both directions."""

    field: str
    descending: bool
