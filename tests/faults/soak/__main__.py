"""`python -m tests.faults.soak --engine tantivy --minutes 20`: break everything by chance, and see what is lost."""

import argparse
import asyncio
import random
import shutil
import signal
import sys

from deploy.local.places import new_node_folder
from tests.faults.soak.run import Plan, soak

QUIET_SECONDS = 60.0


def plan_of(arguments: list[str] | None = None) -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--engine", choices=["tantivy", "opensearch"], default="tantivy")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=None, help="of a run to repeat (by chance)")
    parser.add_argument("--quiet", type=float, default=QUIET_SECONDS, help="seconds before the disk is measured")
    given = parser.parse_args(arguments)
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    return Plan(given.engine, given.minutes * 60, seed, given.quiet)


def main() -> int:
    # As an interruption does: what was started and mounted ends with the run.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = plan_of()
    print(f"Soaking {plan.engine} for {plan.seconds / 60:g} minutes, seed {plan.seed}", flush=True)
    folder = new_node_folder()
    folder.chmod(0o755)
    report = asyncio.run(soak(plan, folder))
    print(report.table())
    if not report.is_good:
        print(f"\n{report.details()}\n\nThe logs are in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
