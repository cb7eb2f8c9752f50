"""TLS to the service of this machine: only its own certificate is trusted, whatever name that certificate has."""

import ssl
from pathlib import Path
from typing import Final

_END: Final = "-----END CERTIFICATE-----"


def pinned_context(certificate: Path) -> ssl.SSLContext:
    """Trust the first certificate of a PEM file alone; `OSError` or `ValueError` if there is none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # It names the public host, and commands connect to the address on which the service listens.
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    first, found, _ = certificate.read_text("ascii").partition(_END)
    context.load_verify_locations(cadata=first + found)
    return context
