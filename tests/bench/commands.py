"""How much CPU a command takes against a running service, beside a Python that only imports httpx and click."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from tests.bench.engines import Place
from tests.bench.report import Row, Table, ratio
from tests.bench.scale import Scale
from tests.service import environment, run_service, trawl, wait_until_ready

COMMANDS = (
    "search walrus ice",
    "search walrus --citations",
    "show DOCUMENT",
    "open DOCUMENT --print",
    "cite DOCUMENT",
    "list",
    "indices",
    "status",
    "jobs list",
    "connect claude-code",
)
IMPORTS = (sys.executable, "-c", "import httpx, click")
TRAWL = str(Path(sys.executable).parent / "trawl")
NOTES = {
    "a.md": "# A walrus\n\nOn the ice. See [the harbour](b.md).\n",
    "b.md": "# The harbour\n\nCranes, and another walrus.\n",
}


def commands(_: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Run all of them in turns, several times, on a service with a small archive."""
    with tempfile.TemporaryDirectory(prefix="trawl-bench-") as name:
        folder = Path(name)
        (folder / "notes").mkdir()
        for file, text in NOTES.items():
            (folder / "notes" / file).write_text(text)
        with run_service(folder) as service:
            wait_until_ready(service)
            trawl("ingest", "notes", "--wait", folder=folder).check_returncode()
            document = json.loads(trawl("list", "--json", folder=folder).stdout)["documents"][0]["id"]
            calls = [(TRAWL, *command.replace("DOCUMENT", document).split()) for command in COMMANDS]
            rounds = [[_cpu_seconds(call, folder) for call in (IMPORTS, *calls)] for _ in range(scale.rounds)]
    imports, *taken = zip(*rounds, strict=True)
    rows = [
        Row(f"`trawl {command}`", ratio(of, imports), f"{median(of):.3f} s to {median(imports):.3f} s", at_most=2)
        for command, of in zip(COMMANDS, taken, strict=True)
    ]
    slowest = max(map(median, taken))
    rows.append(Row("CPU seconds of the slowest of them, median", slowest, at_most=0.25))
    yield Table('CPU of commands, to that of `python -c "import httpx, click"`', rows)


def _cpu_seconds(call: Sequence[str], folder: Path) -> float:
    process = subprocess.Popen(
        call, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"This failed: {' '.join(call)}")
    return used.ru_utime + used.ru_stime
