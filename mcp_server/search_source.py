"""A source that `search_everywhere` asks: it takes a question and gives findings, best first."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from indexer.errors import PlatformError
from indexer.query.parse_text import Clause, parse_text
from indexer.tenancy import Principal
from indexer.text.clean import clean_text
from mcp_server.operation import Operation
from mcp_server.upstream.upstream import Upstream

if TYPE_CHECKING:
    from mcp_server.services import Services

SourceName = Literal["archive", "indices", "osdu", "quilt", "web"]
"""All sources; those named first win where ranks are equal."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every source; each writes it in its own way."""

    text: str
    clauses: tuple[Clause, ...]
    depth: int
    """How many findings a source may give."""

    @property
    def is_blank(self) -> bool:
        """Say whether nothing is left to look for."""
        return not any(clause.kind == "all" or _has_word(clause) for clause in self.clauses)

    @property
    def wanted(self) -> list[str]:
        """The words and phrases that may be found, without those that must not be."""
        return [clause.text for clause in self.clauses if clause.sign != "-" and _has_word(clause)]


def question(query: str, depth: int) -> Question:
    """Read a query by the rules of local indices; `Invalid` where it breaks their limits."""
    text = clean_text(query)
    return Question(text, parse_text(text), depth)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a source found."""

    id: str
    title: str
    snippet: str
    """HTML-escaped but for <mark>."""
    url: str | None = None
    keys: frozenset[str] = frozenset()
    """Under which the same thing is known elsewhere: addresses and DOIs in comparable forms."""
    index_name: str | None = None
    resource: str | None = None
    """The address to give where nobody knows a URL."""
    is_close: bool = False
    """It has words that are only similar to those asked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source gave; with an error where a part of it could not be asked."""

    findings: list[Finding] = field(default_factory=list)
    error: PlatformError | None = None


@dataclass(frozen=True, slots=True)
class SearchSource:
    """A feature as a source; `ask` raises `PlatformError`, also where it is not configured."""

    name: SourceName
    operation: Operation[Any, Any]
    """Asks this source alone; its scope and limits hold here too."""
    ask: Callable[["Services", Principal, Question], Awaitable[Answer]]
    upstream: Upstream[Any] | None = None
    """What must be configured."""
    seconds: float | None = None
    """How long it may take, where that is not the usual time."""


def _has_word(clause: Clause) -> bool:
    return any(character.isalnum() for character in clause.text)
