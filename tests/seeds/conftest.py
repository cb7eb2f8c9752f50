"""One service for each file and engine, and an agent for each test. A file may bring a `service` of its own."""

from collections.abc import Iterator

import pytest

from deploy.local.cluster import local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from tests.contract.engines import ENGINES
from tests.seeds.agent import Agent, connect
from tests.service import Service, run_service, wait_until_ready
from tests.services import missing


@pytest.fixture(scope="session")
def seeds_opensearch() -> Iterator[str]:
    """The address of an OpenSearch of its own, for all services are the same team."""
    try:
        with local_cluster() as cluster:
            yield cluster.url
    except LocalOpenSearchUnavailable as error:
        missing(f"No OpenSearch of its own: {error}")


@pytest.fixture(scope="module", params=ENGINES)
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with its worker on each engine in turn; files below `folder / "archive"` may be ingested."""
    folder = tmp_path_factory.mktemp("service")
    (folder / "archive").mkdir()
    env = {
        "TRAWL_INGEST_ROOTS": str(folder / "archive"),
        "TRAWL_FETCH_ALLOW": "127.0.0.1",
        "TRAWL_SEARCH_TIMEOUT": "60",
    }
    if request.param == "opensearch":
        url = request.getfixturevalue("seeds_opensearch")
        env |= {"TRAWL_OPENSEARCH_URL": url, "TRAWL_SECRET_KEY": "a key for tests"}
    with run_service(folder, env=env) as started:
        wait_until_ready(started)
        yield started


@pytest.fixture
async def agent(service: Service) -> Agent:
    return await connect(service.url)
