"""How long a token lives, as users write it: 12h, 90d, 52w."""

import re
from typing import Final

from indexer.errors import Invalid

_SECONDS: Final = {"h": 3_600, "d": 86_400, "w": 604_800}
_LIFETIME: Final = re.compile(r"([1-9][0-9]{0,5})([hdw])\Z")


def parse_lifetime(text: str) -> float:
    """Return the lifetime in seconds."""
    match = _LIFETIME.match(text.strip().lower())
    if match is None:
        raise Invalid("The lifetime cannot be read", action="Write it like 12h, 90d or 52w")
    return float(int(match[1]) * _SECONDS[match[2]])
