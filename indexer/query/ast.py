"""The query language's tree. It knows no index and no engine: `validate` makes it, each engine's `compile` reads it."""

from dataclasses import dataclass
from typing import Literal

from indexer.schema.values import Bound, Scalar


@dataclass(frozen=True, slots=True)
class Everything:
    """Matches all documents, each with the score 1."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Matches no document."""


@dataclass(frozen=True, slots=True)
class Word:
    """One token as the index's tokenizer yields it, unstemmed; matches the stemmed field, scored by BM25."""

    token: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Two or more tokens in this order, or one as written; matches the unstemmed field, scored by BM25 unless given."""

    tokens: tuple[str, ...]
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of a token; matches the unstemmed field with the constant score 1."""

    token: str


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """A token within some edits (a transposition is one); unstemmed field, constant score below exact ones."""

    token: str
    edits: Literal[1, 2]


@dataclass(frozen=True, slots=True)
class AnyValue:
    """The field has one of these values, of the same type; strings whole and with case."""

    field: str
    values: tuple[Scalar, ...]
    internal: bool = False
    """Set by our own code alone: the strings are terms that no user's metadata or filter can name."""


@dataclass(frozen=True, slots=True)
class Within:
    """The field has a value of the bounds' type between them; a day as a bound is already moved to its start or end."""

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
    """The field has a string value that starts so, with case."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Identified:
    """The document has one of these ids."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Combined:
    """All of `must` and `where`, none of `must_not`, one of `any_of` if there are any; `ranking` only adds scores.

    `must`, `any_of` and `ranking` add up their scores; `where` and `must_not` never score. With only `where` and
    `must_not`, every document that passes matches with the score 1.
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
    | Fuzzy
    | AnyValue
    | Within
    | Exists
    | StartsWith
    | Identified
    | Combined
)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key of a sort; missing values come last in both directions."""

    field: str
    descending: bool
