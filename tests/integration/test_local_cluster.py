from pathlib import Path

import httpx
import pytest

from deploy.local.artifacts import installation
from deploy.local.cluster import local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from deploy.local.java import find_java
from tests.services import missing

ANALYSIS = {
    "filter": {"stem": {"type": "stemmer", "language": "english"}},
    "analyzer": {"stemmed": {"tokenizer": "standard", "filter": ["lowercase", "stem"]}},
}


@pytest.fixture
def _installed() -> None:
    try:
        installation()
        find_java()
    except LocalOpenSearchUnavailable as error:
        missing(f"No local OpenSearch: {error}")


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_installed")
def test_a_local_node_analyses_text_survives_a_kill_and_leaves_nothing_behind() -> None:
    with local_cluster() as cluster, httpx.Client(base_url=cluster.url, timeout=60, trust_env=False) as client:
        client.put("/books", json={"settings": {"analysis": ANALYSIS}}).raise_for_status()
        answer = client.post("/books/_analyze", json={"analyzer": "stemmed", "text": "Running dogs"}).json()
        assert [token["token"] for token in answer["tokens"]] == ["run", "dog"]
        client.put("/books/_doc/1", json={"title": "Dogs"}).raise_for_status()

        node = cluster.nodes[0]
        first_pid = node.pid
        node.kill()
        assert node.pid is None
        cluster.start()
        assert node.pid not in {None, first_pid}
        assert client.get("/books/_doc/1").json()["_source"] == {"title": "Dogs"}

        last_pid, folder = node.pid, node.plan.folder
    assert not Path(f"/proc/{last_pid}").exists()
    assert not folder.exists()


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_installed")
def test_a_node_on_the_java_of_the_wheel_makes_indices_and_segments_thai(tmp_path: Path) -> None:
    java = find_java({}, tmp_path / "no Java is installed here")
    assert not java.knows_thai()
    with local_cluster(java=java) as cluster, httpx.Client(base_url=cluster.url, timeout=60, trust_env=False) as client:
        client.put("/books", json={"settings": {"analysis": ANALYSIS}}).raise_for_status()
        answer = client.post("/books/_analyze", json={"tokenizer": "thai", "text": "การที่ได้ต้องแสดงว่างานดี"}).json()
        assert [token["token"] for token in answer["tokens"]] == ["การ", "ที่", "ได้", "ต้อง", "แสดง", "ว่า", "งาน", "ดี"]
