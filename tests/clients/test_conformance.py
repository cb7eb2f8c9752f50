"""The public conformance suite, on the real service with the suite's fixtures mounted; its exit code decides."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.packages import node
from tests.service import Service, run_service

EXPECTED_FAILURES = Path(__file__).with_name("expected-failures.yml")
REVISIONS = ["2025-11-25", "2026-07-28"]
SECONDS = 120.0

pytestmark = pytest.mark.xdist_group("conformance")


@pytest.fixture(scope="module")
def conforming(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("conformance"), module="tests.clients.conformance") as started:
        yield started


def run_suite(packages: Path, folder: Path, service: Service, *options: str | Path) -> None:
    program = packages / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    ended = node(program, "server", "--url", f"{service.url}/mcp", *options, folder=folder, timeout=SECONDS)
    _, _, summary = ended.stdout.partition("=== SUMMARY ===")
    assert summary, ended.stdout + ended.stderr
    assert ended.returncode == 0, summary + ended.stderr


@pytest.mark.parametrize("revision", REVISIONS)
def test_everything_that_a_revision_requires_passes(
    packages: Path, tmp_path: Path, conforming: Service, revision: str
) -> None:
    run_suite(packages, tmp_path, conforming, "--requirements", revision)


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_other_scenario_of_a_revision_passes_or_is_expected_to_fail(
    packages: Path, tmp_path: Path, conforming: Service, revision: str
) -> None:
    """Cover what the suite runs without scoring it, such as the headers."""
    options = ("--suite", "all", "--spec-version", revision, "--expected-failures", EXPECTED_FAILURES)
    run_suite(packages, tmp_path, conforming, *options)
