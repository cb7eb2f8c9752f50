"""TLS of the service: a certificate that is read again when its file changes, so that renewing it needs no restart."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from app.settings import AppSettings
from indexer.errors import NotConfigured

_log = logging.getLogger(__name__)
_SECONDS_BETWEEN_LOOKS: Final = 5.0


class Certificate:
    """The certificate and the private key of the service. New connections use the newest."""

    def __init__(self, certificate: Path, key: Path, *, seconds: float = _SECONDS_BETWEEN_LOOKS) -> None:
        self._files = certificate, key
        self._seconds = seconds
        self._stamp = self._modified()
        try:
            self.context = self._read()
        except (OSError, ValueError):
            raise NotConfigured(
                "TRAWL_TLS_CERT and TRAWL_TLS_KEY are not a certificate and its key",
                action="Set them to PEM files that this user can read, and whose key has no password",
            ) from None

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look at the files now and then, until the end of the block."""
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            stamp = self._modified()
            if stamp == self._stamp:
                continue
            self._stamp = stamp
            try:
                # A context of its own shows first whether the two belong together.
                self._read()
                self.context.load_cert_chain(*self._files)
            except (OSError, ValueError):
                _log.warning("The renewed certificate cannot be used; the one before it stays in use")
            else:
                _log.info("The renewed certificate is in use")

    def _read(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # Without a password at hand OpenSSL would ask for one on the terminal.
        context.load_cert_chain(*self._files, password=lambda: b"")
        return context

    def _modified(self) -> tuple[int, ...]:
        with suppress(OSError):
            return tuple(file.stat().st_mtime_ns for file in self._files)
        return ()


def certificate_of(settings: AppSettings) -> Certificate | None:
    """Read the certificate that the settings name; None if the service has none."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return Certificate(settings.tls_cert, settings.tls_key)
