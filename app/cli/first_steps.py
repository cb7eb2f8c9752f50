"""What `trawl serve` tells at its start: how to make the first token, a query to try, how to call `trawl`."""

import shutil
import sys
from pathlib import Path

from indexer.errors import PlatformError
from mcp_server.services import Services


def first_token(services: Services) -> list[str]:
    """Return how to make the first token, if there is none yet."""
    try:
        is_needed = not services.tokens.all()
    except PlatformError:
        return []  # The engine is down, and the service says so elsewhere.
    command = "trawl token create --team main --scopes search,write,ingest,admin"
    return [f"Every call needs a token, and there is none yet. Make the first one: {command}"] if is_needed else []


def first_steps() -> list[str]:
    """Return the lines that follow the address of the service."""
    lines = ["Try: trawl search otter trawl", "Add your own documents: trawl ingest FOLDER"]
    folder = Path(sys.argv[0]).resolve().parent
    found = shutil.which("trawl")
    if found is None or Path(found).resolve().parent != folder:
        lines.append(f'In another terminal, put trawl on the PATH first: export PATH="{folder}:$PATH"')
    return lines
