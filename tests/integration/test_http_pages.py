import re
from pathlib import Path

import pytest

from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from tests.service import application


@pytest.mark.parametrize("path", ["/", "/docs"])
async def test_a_page_loads_nothing_from_elsewhere_and_nothing_inline(tmp_path: Path, path: str) -> None:
    async with application(tmp_path) as client:
        page = await client.get(path)
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        assert not re.findall(r"<script>|<style|\son\w+=|\sstyle=", page.text)
        loaded = re.findall(r'(?:src|href)="([^"#][^"]*)"', page.text)
        assert loaded
        for address in loaded:
            assert address.startswith("/")
            assert (await client.get(address)).status_code == 200


async def test_the_openapi_document_describes_every_operation(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        document = (await client.get("/openapi.json")).json()
    for operation in operations_of(FEATURES):
        route = operation.route
        described = document["paths"][route.path.replace(":path}", "}")][route.method.lower()]
        names = {parameter["name"] for parameter in described.get("parameters", ())}
        for content in described.get("requestBody", {}).get("content", {}).values():
            names |= set(content["schema"]["properties"])
        assert names == set((route.takes or operation.arguments).model_fields)
        assert described["operationId"] == operation.name
        assert described["summary"] == (route.summary or operation.title)
        assert "default" in described["responses"]


async def test_every_reference_in_the_openapi_document_resolves(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.get("/openapi.json")
        names = set(re.findall(r'"#/components/schemas/([^"]+)"', answer.text))
        assert names
        assert names <= set(answer.json()["components"]["schemas"])
        assert "$defs" not in answer.text


async def test_answers_of_the_interface_are_not_stored(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.get("/api/v1/indices")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
