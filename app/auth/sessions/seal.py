"""Values that only processes of this service can read: in the store, and in a cookie."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Sequence
from typing import Any

import orjson

from mcp_server.upstream.sealing import Sealer


class Seal:
    """Seals JSON values for one purpose, as text."""

    def __init__(self, keys: tuple[bytes, ...], purpose: bytes) -> None:
        """Take the service's secret keys: the first one seals, all of them open."""
        self._sealers = [Sealer(key, purpose) for key in keys]

    def seal(self, value: Sequence[Any], name: str) -> str:
        """Seal a value; it can be opened only under the same name."""
        return urlsafe_b64encode(self._sealers[0].seal(orjson.dumps(list(value)), name)).decode()

    def open(self, text: str, name: str) -> list[Any] | None:
        """Return the value; None if the text was changed, or sealed with another key or name."""
        try:
            sealed = urlsafe_b64decode(text.encode())
        except (Error, ValueError):
            return None
        for sealer in self._sealers:
            if (raw := sealer.open(sealed, name)) is not None:
                value: list[Any] = orjson.loads(raw)
                return value
        return None
