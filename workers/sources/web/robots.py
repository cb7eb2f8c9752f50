"""What a site's robots.txt allows us to fetch, by RFC 9309."""

import re
from typing import Final

from protego import Protego

ROBOTS_LIMIT: Final = 500_000
_VERSION: Final = re.compile(r"^([ \t]*user-agent[ \t]*:[ \t]*[^/#\s]+)/[^\s#]*", re.IGNORECASE | re.MULTILINE)


class Robots:
    """The rules of one site."""

    def __init__(self, body: bytes = b"") -> None:
        text = body.decode(errors="replace")
        # Protego compares whole names, but some sites write a version behind ours.
        self._rules = Protego.parse(_VERSION.sub(r"\1", text))

    def allow(self, url: str, agent: str) -> bool:
        """Say whether this agent may fetch this page."""
        return bool(self._rules.can_fetch(url, agent))
