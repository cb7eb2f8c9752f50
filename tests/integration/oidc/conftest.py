"""A service that accepts the tokens of a certified provider."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from deploy.local.ports import take_ports
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from tests.clients.packages import required_packages
from tests.integration.oidc.provider import OidcProvider, running_provider
from tests.service import Service, application_in_task, run_service


@pytest.fixture(scope="session")
def packages() -> Path:
    return required_packages()


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[OidcProvider]:
    """A provider that the tests of a process share."""
    with running_provider(tmp_path_factory.mktemp("provider"), packages) as provider:
        yield provider


@pytest.fixture
def own_provider(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[OidcProvider]:
    """A provider that the test may stop and change."""
    with running_provider(tmp_path_factory.mktemp("own-provider"), packages) as provider:
        yield provider


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, provider: OidcProvider) -> Iterator[Service]:
    """A service in a process of its own, to which people can sign in."""
    port = str(take_ports(1)[0])
    settings = {"TRAWL_OIDC_ISSUER": provider.issuer, "TRAWL_OIDC_CLIENT_ID": "trawl"}
    with run_service(
        tmp_path_factory.mktemp("service"), env={"TRAWL_AUTH": "on", "TRAWL_PORT": port, **settings}
    ) as service:
        yield service


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    yield library
    await library.aclose()


@pytest.fixture
def denied(library: Library) -> DeniedSubjects:
    return DeniedSubjects(library.engine.records)


@pytest.fixture
async def client(tmp_path: Path, library: Library, provider: OidcProvider) -> AsyncIterator[httpx.AsyncClient]:
    async with application_in_task(
        tmp_path, library=library, auth="on", oidc_issuer=provider.issuer, mcp={"calls_per_minute": 0}
    ) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    """Return the header that carries a token."""
    return {"authorization": f"Bearer {token}"}
