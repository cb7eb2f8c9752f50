from dataclasses import replace
from pathlib import Path

import pytest

from indexer.bootstrap import open_library
from indexer.engines.port import SearchRequest, SearchResponse, Target
from indexer.settings import IndexerSettings
from tests.service import application


class BrokenReader:
    async def search(self, target: Target, wanted: SearchRequest) -> SearchResponse:
        raise RuntimeError(f"cannot run {wanted.query} on {target.physical} s3cret")

    async def health(self) -> None:
        return


async def test_a_bug_is_a_500_with_a_reference_and_without_its_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "data"))
    broken = replace(library, engine=replace(library.engine, reader=BrokenReader()))
    try:
        async with application(tmp_path, library=broken) as client:
            document = {"doc_id": "a", "content": "text"}
            await client.post("/api/v1/indices/default/documents", json={"documents": [document]})
            answer = await client.post("/api/v1/indices/default/search", json={"query": "canary"})
    finally:
        await library.aclose()
    failure = answer.json()
    assert answer.status_code == 500
    assert failure["success"] is False
    assert failure["details"]["reference"] == answer.headers["x-request-id"]
    assert failure["details"]["reference"] in failure["error"]
    assert failure["fix"]["required_action"]
    logged = [record for record in caplog.records if record.__dict__.get("reference")]
    assert [record.__dict__["reference"] for record in logged] == [failure["details"]["reference"]]
    for secret in ("canary", "s3cret"):
        assert secret not in answer.text
        assert secret not in caplog.text
