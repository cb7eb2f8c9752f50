"""The icon of the service: a trawl net. It is served as a file, and MCP clients get it as a data URI."""

from importlib.resources import files
from urllib.parse import quote


def svg() -> bytes:
    """Return the icon as SVG."""
    return files(__package__).joinpath("icon.svg").read_bytes()


def data_uri() -> str:
    """Return the icon as a URI that needs no address: a server on stdio has none."""
    return "data:image/svg+xml," + quote(svg().decode().strip(), safe="='/:,;")
