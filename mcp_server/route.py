"""Where an operation is found over HTTP."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import quote, unquote_to_bytes

from indexer.arguments import Arguments
from indexer.errors import Invalid, NotFound

_WITH_BODY: Final = frozenset({"POST", "PUT"})


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path. The arguments named in the path come from there, the others from body or query string."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    summary: str | None = None
    """What the reference says, where the operation's title will not do."""
    takes: type[Arguments] | None = None
    """What the route takes, where that differs from the operation's own arguments..."""
    bind: Callable[[Any], Mapping[str, Any]] | None = None
    """...and how these become the operation's."""
    is_form: bool = False
    """Whether its body is a form with files."""

    @property
    def has_body(self) -> bool:
        return self.method in _WITH_BODY

    @property
    def path_arguments(self) -> tuple[str, ...]:
        return tuple(part[1:-1].partition(":")[0] for part in self.path.split("/") if part.startswith("{"))

    def address(self, arguments: Mapping[str, Any]) -> str:
        """Return the path for these arguments, percent-encoded."""
        parts = []
        for part in self.path.split("/"):
            if not part.startswith("{"):
                parts.append(part)
                continue
            encoded = quote(str(arguments[part[1:-1].partition(":")[0]]), safe="")
            # a client would resolve . and .. as steps of the path
            parts.append(encoded.replace(".", "%2E") if encoded in {".", ".."} else encoded)
        return "/".join(parts)

    def read_path(self, raw_path: bytes) -> dict[str, str]:
        """Return the path's arguments, decoded once and part by part, so that %2F stays inside its part."""
        wanted = self.path.split("/")
        parts = raw_path.split(b"/", len(wanted) - 1) if wanted[-1].endswith(":path}") else raw_path.split(b"/")
        if len(parts) != len(wanted):
            raise no_such_path()
        values = {}
        for part, template in zip(parts, wanted, strict=True):
            value = _decoded(part)
            if template.startswith("{"):
                values[template[1:-1].partition(":")[0]] = value
            elif value != template:
                raise no_such_path()
        return values


def no_such_path() -> NotFound:
    """Say that nothing is at this address."""
    return NotFound("There is nothing at this address", action="See /docs for what there is")


def _decoded(part: bytes) -> str:
    try:
        return unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        raise Invalid(
            "The path is not UTF-8", action="Encode names and ids as UTF-8, then percent-encode them"
        ) from None
