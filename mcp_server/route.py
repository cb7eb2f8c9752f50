"""The HTTP route of an operation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote, unquote_to_bytes

from indexer.errors import Invalid, NotFound

if TYPE_CHECKING:
    # Commands import routes without operations, and must not import pydantic.
    from indexer.arguments import Arguments

_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT"})


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path. Arguments named in the path come from there, all others from the body or query string."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    summary: str | None = None
    """Overrides the operation's title in OpenAPI."""
    takes: "type[Arguments] | None" = None
    """The route's own arguments, if they differ from the operation's."""
    bind: Callable[[Any], Mapping[str, Any]] | None = None
    """Maps the route's own arguments to the operation's."""
    is_form: bool = False
    """Whether the body is a multipart form with files."""

    @property
    def has_body(self) -> bool:
        return self.method in _METHODS_WITH_BODY

    @property
    def path_arguments(self) -> tuple[str, ...]:
        return tuple(part[1:-1].partition(":")[0] for part in self.path.split("/") if part.startswith("{"))

    def address(self, arguments: Mapping[str, Any]) -> str:
        """Return the path for these arguments, percent-encoded."""
        segments = []
        for template in self.path.split("/"):
            if not template.startswith("{"):
                segments.append(template)
                continue
            encoded = quote(str(arguments[template[1:-1].partition(":")[0]]), safe="")
            # HTTP clients resolve the segments . and .. before they send a request.
            segments.append(encoded.replace(".", "%2E") if encoded in {".", ".."} else encoded)
        return "/".join(segments)

    def read_path(self, raw_path: bytes) -> dict[str, str]:
        """Parse the arguments in a path. Each segment is decoded once, so %2F does not split it."""
        templates = self.path.split("/")
        is_open_ended = templates[-1].endswith(":path}")
        segments = raw_path.split(b"/", len(templates) - 1) if is_open_ended else raw_path.split(b"/")
        if len(segments) != len(templates):
            raise no_such_path()
        values = {}
        for segment, template in zip(segments, templates, strict=True):
            value = _decode_segment(segment)
            if template.startswith("{"):
                values[template[1:-1].partition(":")[0]] = value
            elif value != template:
                raise no_such_path()
        return values


def no_such_path() -> NotFound:
    """Build the failure for an unknown path."""
    return NotFound("There is nothing at this address", action="See /docs for what there is")


def _decode_segment(segment: bytes) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except UnicodeDecodeError:
        raise Invalid(
            "The path is not UTF-8", action="Encode names and ids as UTF-8, then percent-encode them"
        ) from None
