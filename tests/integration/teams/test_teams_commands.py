"""Commands of the operator on the machine of a running service: teams, the audit, subjects; on both engines."""

import csv
import io
import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.contract.engines import ENGINES
from tests.service import Service, run_service, trawl, wait_until

CANARY = "kittiwake"


@dataclass(frozen=True, slots=True)
class Host:
    """The machine of a running service that needs tokens."""

    service: Service
    env: dict[str, str]
    engine: str

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run a command of the operator, and return what it prints."""
        ended = trawl(*arguments, folder=self.service.folder, env=self.env)
        assert ended.returncode == code, ended.stderr
        return ended.stdout + (ended.stderr if code else "")

    def new_token(self, team: str, name: str = "probe") -> str:
        scopes = "search,write,ingest,admin"
        made = self.run("token", "create", "--team", team, "--scopes", scopes, "--name", name, "--json")
        token: str = json.loads(made)["token"]
        return token

    def call(self, method: str, path: str, token: str, **given: object) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(trust_env=False, timeout=60, headers=headers) as client:
            return client.request(method, f"{self.service.url}/api/v1{path}", **given)  # type: ignore[arg-type]  # as httpx

    def records(self, team: str, *options: str) -> list[dict[str, object]]:
        """Return the calls of a team, newest first."""
        listed: list[dict[str, object]] = json.loads(self.run("audit", "list", "--team", team, "--json", *options))[
            "records"
        ]
        return listed

    def teams(self) -> dict[str, dict[str, int]]:
        return {entry["team"]: entry for entry in json.loads(self.run("team", "list", "--json"))["teams"]}


@pytest.fixture(scope="module", params=ENGINES)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    # Without Redis there is no worker, so a job waits for ever.
    env = {"TRAWL_AUTH": "on", "TRAWL_SECRET_KEY": "k" * 32, "TRAWL_REDIS_URL": "redis://127.0.0.1:1/0"}
    if request.param == "opensearch":
        env |= {"TRAWL_OPENSEARCH_URL": request.getfixturevalue("opensearch_url")}
    with run_service(tmp_path_factory.mktemp("host"), env=env) as service:
        yield Host(service, env, request.param)


@pytest.fixture
def team() -> str:
    """A team of this test alone: tests share the cluster."""
    return f"host{uuid4().hex[:12]}"


def fill(host: Host, team: str) -> str:
    """Let a team have a token and two documents; return the token."""
    token = host.new_token(team)
    for name in ("d1", "d2"):
        stored = host.call("PUT", f"/indices/default/documents/{name}", token, json={"content": CANARY})
        assert stored.status_code == 200, stored.text
    return token


def test_a_deleted_team_is_gone_from_the_running_service_and_can_begin_again(host: Host, team: str) -> None:
    token = fill(host, team)
    assert host.teams()[team] == {"team": team, "tokens": 1, "indices": 1, "documents": 2, "jobs": 0}
    removed = json.loads(host.run("team", "delete", team, "--yes", "--json"))
    assert (removed["status"], removed["left"]) == ("deleted", [])
    assert (removed["removed"]["tokens"], removed["removed"]["indices"], removed["removed"]["documents"]) == (1, 1, 2)
    wait_until(lambda: host.call("GET", "/me", token).status_code == 401, "the token is refused", 5)
    assert team not in host.teams()
    again = host.new_token(team)
    found = host.call("POST", "/indices/default/search", again, json={"query": CANARY})
    assert found.json()["results"] == []
    assert host.call("PUT", "/indices/default/documents/d3", again, json={"content": CANARY}).status_code == 200
    hits = host.call("POST", "/indices/default/search", again, json={"query": CANARY}).json()["results"]
    assert [hit["doc_id"] for hit in hits] == ["d3"]


def test_a_team_that_has_nothing_is_said_to_be_absent(host: Host, team: str) -> None:
    assert f"There is nothing of a team {team}" in host.run("team", "delete", team, "--yes", code=1)
    assert "Invalid team name" in host.run("team", "delete", "No Team", "--yes", code=1)


def test_nothing_is_deleted_without_a_confirmation(host: Host, team: str) -> None:
    token = fill(host, team)
    shown = host.run("team", "delete", team, code=1)
    assert f"all that team {team} has" in shown
    assert host.call("GET", "/indices/default/documents/d1", token).status_code == 200


def test_unfinished_jobs_prevent_it_unless_they_are_to_be_cancelled(host: Host, team: str) -> None:
    token = host.new_token(team)
    pages = {"source": {"type": "urls", "urls": ["http://127.0.0.1:1/"]}}
    assert host.call("POST", "/archives/ingest", token, json=pages).status_code == 200
    assert "--cancel-jobs" in host.run("team", "delete", team, "--yes", code=1)
    assert host.call("GET", "/me", token).status_code == 200
    assert "jobs 1" in host.run("team", "delete", team, "--yes", "--cancel-jobs")
    outcomes = [record["outcome"] for record in host.records(team, "--operation", "team_delete")]
    assert outcomes == ["ok", "conflict"]


def test_what_an_operator_changes_is_audited(host: Host, team: str) -> None:
    fill(host, team)
    made = json.loads(host.run("token", "create", "--team", team, "--scopes", "search", "--json"))
    host.run("token", "revoke", made["id"])
    host.run("team", "delete", team, "--yes")
    by_operator = [record for record in host.records(team) if str(record["subject"]).startswith("local:")]
    told = [(record["operation"], record["object"], record["outcome"]) for record in by_operator]
    assert told[:3] == [
        ("team_delete", team, "ok"),
        ("token_revoke", made["id"], "ok"),
        ("token_create", made["id"], "ok"),
    ]
    assert made["token"] not in json.dumps(by_operator)


def test_the_audit_is_listed_by_page_and_by_filter(host: Host, team: str) -> None:
    token = fill(host, team)
    host.call("GET", "/indices/default/documents/none", token)
    wait_until(lambda: len(host.records(team)) == 4, "all calls are recorded")
    assert [record["operation"] for record in host.records(team, "--outcome", "not_found")] == ["search_get_document"]
    assert len(host.records(team, "--subject", "token:probe", "--operation", "search_add_document")) == 2
    assert host.records(team, "--until", "2020-01-01") == []
    first = json.loads(host.run("audit", "list", "--team", team, "--limit", "3", "--json"))
    rest = json.loads(host.run("audit", "list", "--team", team, "--cursor", first["next_cursor"], "--json"))
    assert [*first["records"], *rest["records"]] == host.records(team)
    table = host.run("audit", "list", "--team", team).splitlines()
    assert table[0].split() == ["TIME", "TEAM", "SUBJECT", "OPERATION", "OBJECT", "OUTCOME", "CLIENT", "ADDRESS"]
    assert len(table) == 5
    assert "since is not a date" in host.run("audit", "list", "--since", "soon", code=1)


def test_an_export_has_all_that_match_oldest_first(host: Host, team: str, tmp_path: Path) -> None:
    fill(host, team)
    expected = host.records(team)[::-1]
    lines = host.run("audit", "export", "--team", team).splitlines()
    assert [json.loads(line) for line in lines] == expected
    file = tmp_path / "audit.csv"
    host.run("audit", "export", "--team", team, "--format", "csv", "--output", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert rows == [{name: str(value) for name, value in record.items()} for record in expected]


def test_a_subject_is_exported_and_erased(host: Host, team: str, tmp_path: Path) -> None:
    token = fill(host, team)
    name = f"token:{team}"
    host.new_token(team, team)
    file = tmp_path / "subject.jsonl"
    host.run("subject", "export", "token:probe", "--team", team, "--output", str(file))
    kinds = [json.loads(line)["kind"] for line in file.read_text().splitlines()]
    assert kinds == ["token", "audit_record", "audit_record"]
    erased = json.loads(host.run("subject", "erase", "token:probe", "--team", team, "--json"))
    assert (erased["revoked_tokens"], erased["audit_records"]) == (1, 4)
    assert host.run("subject", "export", "token:probe", "--team", team) == ""
    assert [json.loads(line)["kind"] for line in host.run("subject", "export", name).splitlines()] == ["token"]
    wait_until(lambda: host.call("GET", "/me", token).status_code == 401, "the token is refused", 5)
    newest = host.records(team)[0]
    assert (newest["operation"], newest["object"]) == ("subject_erase", erased["pseudonym"])
    assert "token:probe" not in host.run("audit", "export", "--team", team)
