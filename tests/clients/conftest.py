"""What the tests of clients share: the npm packages, and a service that all clients of a test process talk to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.packages import PackagesUnavailable, installed_packages
from tests.service import Service, run_service
from tests.services import missing


@pytest.fixture(scope="session")
def packages() -> Path:
    """Where the npm packages are."""
    try:
        return installed_packages()
    except PackagesUnavailable as error:
        missing(str(error))


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("clients")) as started:
        yield started
