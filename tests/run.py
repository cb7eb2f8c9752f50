"""`python -m tests.run [pytest's arguments]`: run the tests, and a few failed ones once more, alone.

A loaded machine with two cores can starve a test of the time it needs. A test that passes the second time is
printed as unsteady, to be mended; it is not hidden. More failures than a few are no accident and end the run at once.
"""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET

from deploy.local.artifacts import installation
from deploy.local.errors import LocalOpenSearchUnavailable
from tests.clients.packages import PackagesUnavailable, installed_packages

FEW = 5
TESTS_FAILED = 1
OUTPUT = ("-ra", "-o", "verbosity_assertions=2", "--durations=15")


def run_pytest(cache: Path, *arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *OUTPUT, *arguments]
    return subprocess.run(command, check=False).returncode


def failed_tests(cache: Path) -> list[str]:
    """Name the tests that pytest remembers as failed."""
    path = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []


def passed_tests(report: Path) -> int:
    """Count in a JUnit report the tests that neither failed nor were skipped."""
    if not report.exists():
        return 0
    troubles = {"failure", "error", "skipped"}
    return sum(troubles.isdisjoint(part.tag for part in case) for case in ET.parse(report).iter("testcase"))


def main(arguments: list[str]) -> int:
    # Fetched before the clock of the first test that needs it runs; if something cannot be, that test says why.
    if not os.environ.get("TRAWL_TEST_OPENSEARCH_URL"):
        with suppress(LocalOpenSearchUnavailable):
            installation()
    with suppress(PackagesUnavailable):
        installed_packages()
    with tempfile.TemporaryDirectory(prefix="trawl-tests-cache-") as folder:
        cache, report = Path(folder) / "cache", Path(folder) / "report.xml"
        workers = os.environ.get("TRAWL_TEST_WORKERS", "2")
        code = run_pytest(cache, "-n", workers, "--dist", "loadgroup", *arguments)
        failed = failed_tests(cache)
        if code != TESTS_FAILED or not 0 < len(failed) <= FEW:
            return code
        print(f"\n==== {len(failed)} failed; running them once more, alone ====\n", flush=True)
        code = run_pytest(cache, "--last-failed", "-n", "0", f"--junitxml={report}", *arguments)
        still_failed = failed_tests(cache)
        for name in sorted({*failed} - {*still_failed}):
            print(f"unsteady: {name}", flush=True)
        return code if code != 0 or passed_tests(report) == len(failed) else TESTS_FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
