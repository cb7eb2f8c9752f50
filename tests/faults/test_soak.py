"""A short soak: what was acknowledged is there after everything broke by chance, and all jobs end."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.places import new_node_folder
from tests.faults.soak.run import Plan, soak
from tests.services import ServerUnavailable, chosen_engines, missing

PLANS = (Plan("tantivy", 45, seed=3, hostile_files=False),)
"""Hostile files take minutes, and `test_hostile_folder` brings them in."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the user of the nodes may enter."""
    folder = new_node_folder()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.engine)
@pytest.mark.timeout(600)
async def test_what_was_acknowledged_outlives_what_befalls_by_chance(plan: Plan, folder: Path) -> None:
    if plan.engine not in chosen_engines():
        pytest.skip(f"{plan.engine} is left out of this run")
    try:
        report = await soak(plan, folder)
    except (LocalOpenSearchUnavailable, ServerUnavailable) as error:
        missing(str(error))
    print(report.table())
    assert report.is_good, report.details()
    assert report.written > 0
    assert report.archived > 0
    assert report.deleted > 0
    assert report.strikes.total() > 0
