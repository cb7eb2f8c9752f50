"""What the tests of clients share: the npm packages, and a service that all clients of a test process talk to."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.clients.journey import DOCUMENTS
from tests.clients.packages import required_packages
from tests.service import Service, run_service


@pytest.fixture(scope="session")
def packages() -> Path:
    """Where the npm packages are."""
    return required_packages()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("clients")) as started:
        yield started


@pytest.fixture
def index(service: Service) -> str:
    """The name of a new index with the documents that all clients search."""
    name = f"clients_{uuid4().hex[:8]}"
    with httpx.Client(base_url=f"{service.url}/api/v1", trust_env=False, timeout=60) as client:
        client.post("/indices", json={"index_name": name}).raise_for_status()
        client.post(f"/indices/{name}/documents", json={"documents": DOCUMENTS}).raise_for_status()
    return name
