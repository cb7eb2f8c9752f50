"""Where the engines are, and the settings with which this process and those it starts reach them."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from indexer.settings import EngineName, IndexerSettings
from tests.keeper import running


@dataclass(frozen=True)
class Place:
    """One engine, with a folder for whatever is started beside it."""

    name: EngineName
    folder: Path
    settings: IndexerSettings
    environment: Mapping[str, str]

    @property
    def url(self) -> str:
        """The address of OpenSearch."""
        return self.settings.opensearch_urls[0]


@contextmanager
def engine(name: EngineName) -> Iterator[Place]:
    """Give the engine while the block runs: OpenSearch from TRAWL_TEST_OPENSEARCH_URL, else one of its own."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="trawl-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        key = secrets.token_hex(32)
        environment = {"TRAWL_ENGINE": name, "TRAWL_DATA_DIR": str(folder / "data"), "TRAWL_SECRET_KEY": key}
        url = None
        if name == "opensearch":
            url = os.environ.get("TRAWL_TEST_OPENSEARCH_URL") or stack.enter_context(running("opensearch"))
            environment["TRAWL_OPENSEARCH_URL"] = url
        settings = IndexerSettings(
            _env_file=None, engine=name, data_dir=folder / "data", secret_key=SecretStr(key), opensearch_url=url
        )
        yield Place(name, folder, settings, environment)
