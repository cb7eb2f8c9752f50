"""`python -m tests.bench`: measure against the raw engines in the same run, and print ratios with their targets.

Nothing fails when a target is missed: on a busy machine numbers say little, and whoever reads them decides.
"""

import argparse
from contextlib import ExitStack
from pathlib import Path

from indexer.settings import EngineName
from tests.bench.answers import answers
from tests.bench.authentication import authentication
from tests.bench.commands import commands
from tests.bench.engines import Place, engine
from tests.bench.fuzzy import fuzzy
from tests.bench.guard_words import guard
from tests.bench.ingest import ingest
from tests.bench.osdu_overhead import osdu_overhead
from tests.bench.overhead import overhead
from tests.bench.page import page
from tests.bench.quotes import quotes
from tests.bench.relevance import relevance
from tests.bench.report import write
from tests.bench.scale import FULL, QUICK
from tests.bench.startup import startup
from tests.bench.writing import writing

PARTS = {
    "startup": startup,
    "commands": commands,
    "relevance": relevance,
    "fuzzy": fuzzy,
    "quotes": quotes,
    "overhead": overhead,
    "page": page,
    "authentication": authentication,
    "writing": writing,
    "ingest": ingest,
    "osdu": osdu_overhead,
    "guard": guard,
    "answers": answers,
}
WITHOUT_ENGINES = frozenset({"startup", "commands", "osdu", "guard"})
ENGINES: tuple[EngineName, ...] = ("opensearch", "tantivy")


def main() -> None:
    """Run the parts asked for, on the engines asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"any of {', '.join(PARTS)}; the default is all")
    parser.add_argument("--engine", choices=(*ENGINES, "both"), default="both")
    parser.add_argument("--quick", action="store_true", help="little of everything, to see that it works")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between the markers in this file")
    given = parser.parse_args()
    if unknown := sorted({*given.parts} - {*PARTS}):
        parser.error(f"unknown: {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
    if given.quick and given.write:
        parser.error("numbers of a quick run are not worth writing down")
    with ExitStack() as stack:
        parts = [part for part in PARTS if part in given.parts or not given.parts]
        chosen = [name for name in ENGINES if given.engine in {name, "both"} and not {*parts} <= WITHOUT_ENGINES]
        places: dict[str, Place] = {name: stack.enter_context(engine(name)) for name in chosen}
        for part in parts:
            tables = []
            for table in PARTS[part](places, QUICK if given.quick else FULL):
                print(f"\n{table.text()}", flush=True)
                tables.append(table)
            if given.write:
                write(given.write, part, tables)


if __name__ == "__main__":
    main()
