from pathlib import Path

from tests.service import application


async def test_a_team_has_its_default_index_from_the_start(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.get("/api/v1/indices")
        assert answer.status_code == 200
        assert answer.json()["success"] is True
        assert [index["index_name"] for index in answer.json()["indices"]] == ["default"]


async def test_an_index_is_created_described_and_deleted(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        body = {"index_name": "Notes", "tokenizer_config": {"language": "none"}, "sortable_fields": {"year": "number"}}
        created = await client.post("/api/v1/indices", json=body)
        assert created.json() == {"success": True, "status": "created", "index_name": "notes", "backend": "memory"}
        described = (await client.get("/api/v1/indices/notes")).json()
        assert (described["index_name"], described["documents"]) == ("notes", 0)
        assert described["tokenizer_config"]["language"] == "none"
        deleted = await client.delete("/api/v1/indices/notes")
        assert deleted.json() == {"success": True, "status": "deleted", "index_name": "notes"}
        assert (await client.get("/api/v1/indices/notes")).status_code == 404


async def test_an_index_that_exists_is_a_conflict(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post("/api/v1/indices", json={"index_name": "default"})
        assert answer.status_code == 409
        assert answer.json()["error"] == "Index already exists: default"


async def test_an_unknown_index_comes_with_the_closest_names(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        await client.post("/api/v1/indices", json={"index_name": "geology"})
        answer = await client.get("/api/v1/indices/geologie")
        assert answer.status_code == 404
        assert answer.json()["error"] == "Index not found: geologie"
        assert answer.json()["details"]["closest"] == ["geology"]


async def test_an_engine_that_does_not_run_here_is_not_configured(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post("/api/v1/indices", json={"index_name": "x", "backend": "opensearch"})
        assert (answer.status_code, answer.json()["error_category"]) == (501, "not_configured")


async def test_an_invalid_name_is_refused(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        assert (await client.post("/api/v1/indices", json={"index_name": "no spaces"})).status_code == 422
        assert (await client.get("/api/v1/indices/a%20b")).status_code == 422
        assert (await client.delete("/api/v1/indices/%FF")).status_code == 422


async def test_calls_without_a_body_refuse_unknown_arguments(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.get("/api/v1/indices?page=2")
        assert answer.status_code == 422
        assert answer.json()["details"]["errors"] == [
            {"argument": "page", "problem": "unknown argument. Allowed: no arguments"}
        ]
