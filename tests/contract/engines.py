"""The settings under which contract tests open an engine."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.settings import IndexerSettings
from tests.services import chosen_engines

ENGINES = chosen_engines()
PATIENT = 60.0
"""A loaded machine must not turn a right answer into a late one."""


def settings_of(name: str, request: pytest.FixtureRequest, folder: Path) -> IndexerSettings:
    """Return settings for one engine; asking for OpenSearch starts the run's shared one."""
    if name == "tantivy":
        return IndexerSettings(engine="tantivy", data_dir=folder, secret_key=SecretStr("k"), search_timeout=PATIENT)
    url = request.getfixturevalue("opensearch_url")
    return IndexerSettings(
        engine="opensearch",
        opensearch_url=url,
        opensearch_user=None,
        opensearch_password=None,
        data_dir=folder,
        secret_key=SecretStr("k"),
        search_timeout=PATIENT,
    )
