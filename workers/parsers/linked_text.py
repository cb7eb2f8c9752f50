"""A text with the links in it, as the parsers of all kinds hand it to the builder."""

from collections.abc import Sequence
from typing import NamedTuple

from indexer.archives.parsed import LinkKind


class LinkSpan(NamedTuple):
    """The target of a link as written, and the range of the text that carries it."""

    target: str
    start: int
    end: int
    kind: LinkKind | None = None
    """Set for wiki links; for others it follows from the target."""


class LinkedText(NamedTuple):
    """A text and its links; the offsets refer to this text."""

    text: str
    spans: Sequence[LinkSpan]

    def prefixed(self, prefix: str) -> "LinkedText":
        """Return the text after a prefix, with the links moved by its length."""
        shift = len(prefix)
        moved = [span._replace(start=span.start + shift, end=span.end + shift) for span in self.spans]
        return LinkedText(prefix + self.text, moved)
