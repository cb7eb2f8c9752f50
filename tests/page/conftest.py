"""A real browser, and a real service with the sample for it to look at."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from deploy.local.ports import take_ports
from tests.clients.packages import required_packages
from tests.integration.oidc.provider import OidcProvider, running_provider
from tests.page.chromium import ChromiumMissing, chromium
from tests.page.looking import Looker
from tests.service import Service, run_service, wait_until_ready
from tests.services import missing


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a module together in one process: they share a browser and services."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group(f"page-{item.path.stem}"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for a module: while it runs, its event loop is in the way of tests that are coroutines."""
    try:
        with chromium() as launched:
            yield launched
    except ChromiumMissing as error:
        missing(str(error))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The embedded service with its sample, as `make run` starts it."""
    with run_service(tmp_path_factory.mktemp("page"), "--demo") as running:
        wait_until_ready(running)
        yield running


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own that needs a token."""
    with run_service(tmp_path_factory.mktemp("guarded"), env={"TRAWL_AUTH": "on"}) as running:
        wait_until_ready(running)
        yield running


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OidcProvider]:
    with running_provider(tmp_path_factory.mktemp("provider"), required_packages()) as running:
        yield running


@pytest.fixture(scope="module")
def entrusted(tmp_path_factory: pytest.TempPathFactory, provider: OidcProvider) -> Iterator[Service]:
    """A service to which people sign in with a token or at a provider."""
    issuer = {"TRAWL_OIDC_ISSUER": provider.issuer, "TRAWL_OIDC_CLIENT_ID": "trawl"}
    settings = {"TRAWL_AUTH": "on", "TRAWL_PORT": str(take_ports(1)[0]), **issuer}
    with run_service(tmp_path_factory.mktemp("entrusted"), env=settings) as running:
        wait_until_ready(running)
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 880}, reduced_motion="reduce")
    made.set_default_timeout(20_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which nothing may go wrong unseen: no script error, nothing that the content policy refused."""
    looker = Looker(context)
    yield context.new_page()
    assert looker.problems == []


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with files of which some cannot be read."""
    folder = tmp_path / "survey"
    folder.mkdir()
    (folder / "wreck.md").write_text("# The wreck\n\nA wreck lies at forty metres, found by quaxelfin sonar.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nthis is no pdf\n")
    (folder / "hull.dwg").write_bytes(bytes(range(256)))
    return folder
