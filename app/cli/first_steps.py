"""What `trawl serve --demo` tells a new user: a query to try, and how to call `trawl` from anywhere."""

import shutil
import sys
from pathlib import Path


def first_steps() -> list[str]:
    """Return the lines that follow the address of the service."""
    lines = ["Try: trawl search otter trawl", "Add your own documents: trawl ingest FOLDER"]
    folder = Path(sys.argv[0]).resolve().parent
    found = shutil.which("trawl")
    if found is None or Path(found).resolve().parent != folder:
        lines.append(f'In another terminal, put trawl on the PATH first: export PATH="{folder}:$PATH"')
    return lines
