"""An engine with a trail of its own: verifying looks at all chains, so no two tests may share them."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from indexer.engines.port import Engine
from tests.contract.audit.calling_process import open_engine
from tests.contract.audit.trails import Kept
from tests.contract.engines import ENGINES


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """The name of an engine, and where it keeps what is stored: a folder, or an address and a prefix."""
    if request.param == "tantivy":
        return "tantivy", str(tmp_path)
    return "opensearch", f"{request.getfixturevalue('opensearch_url')}#audit{uuid4().hex[:12]}"


@pytest.fixture
def engine(place: tuple[str, str]) -> Iterator[Engine]:
    opened = open_engine(*place)
    yield opened
    if opened.name == "opensearch":
        own = place[1].rpartition("#")[2]
        for physical in opened.writer.physical_names(own):
            opened.writer.drop(physical)
        client = opened.writer._client  # type: ignore[attr-defined] # its own client
        for template in (f"{own}-records", f"{own}-log"):
            client.indices.delete_index_template(name=template, ignore=[404])
    opened.records.close()
    opened.audit.close()


@pytest.fixture
def kept(engine: Engine) -> Kept:
    return Kept(engine.audit, engine.records)
