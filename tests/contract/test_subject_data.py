"""What is stored of one subject is exported and erased, on both engines."""

from collections import Counter
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from indexer.audit.trail import AuditTrail
from indexer.engines.audit_port import LogFilter
from indexer.errors import NotFound
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from mcp_server.access.session_store import IssuerSignIn, SessionStore, TokenSignIn
from mcp_server.access.token_store import TokenStore
from mcp_server.audit.operator_audit import audited
from mcp_server.features.account.subject_data import SubjectData
from tests.contract.audit.trails import record
from workers.enqueue import Background
from workers.settings import WorkerSettings
from workers.sources.arguments import UrlsSource

KEY = b"k"


@pytest.fixture
def team() -> TeamId:
    return TeamId(f"subject{uuid4().hex[:12]}")


@pytest.fixture
def background(library: Library) -> Background:
    return Background(library, WorkerSettings(_env_file=None, redis_url=None))


@pytest.fixture
async def trail(library: Library) -> AsyncIterator[AuditTrail]:
    opened = AuditTrail(library.engine.audit, library.engine.records, (KEY,))
    yield opened
    opened.close()


@pytest.fixture
def filled(library: Library, background: Background, trail: AuditTrail, team: TeamId) -> SubjectData:
    """A team in which yvonne and zoltan have tokens, jobs and calls; xavier made their tokens."""
    tokens = TokenStore(library.engine.records)
    pages = UrlsSource(type="urls", urls=["https://example.org/"])
    for name in ("yvonne", "zoltan"):
        tokens.issue(team, ["search"], name=name, created_by="xavier")
        background.ingest(Principal(team, f"token:{name}"), pages)
        for _ in range(3):
            trail.add(record(call=trail.next_call(), team=team, subject=f"token:{name}"))
    trail.flush()
    return SubjectData(library, background, (KEY,), team)


def kinds(data: SubjectData, subject: str) -> Counter[str]:
    return Counter(item["kind"] for item in data.export(subject))


def test_all_that_is_stored_of_a_subject_is_exported(filled: SubjectData, team: TeamId) -> None:
    assert kinds(filled, "token:yvonne") == {"token": 1, "job": 1, "audit_record": 3}
    assert kinds(filled, "xavier") == {"created_token": 2}
    assert kinds(filled, "token:nobody") == {}
    assert {item["team"] for item in filled.export("token:yvonne")} == {team}


def test_an_erased_subject_is_nowhere_and_others_stay(filled: SubjectData, library: Library, team: TeamId) -> None:
    erased = filled.erase("token:yvonne")
    assert (erased["revoked_tokens"], erased["created_tokens"], erased["jobs"], erased["audit_records"]) == (1, 0, 1, 3)
    assert kinds(filled, "token:yvonne") == {}
    assert kinds(filled, erased["pseudonym"]) == {"job": 1, "audit_record": 3}
    assert kinds(filled, "token:zoltan") == {"token": 1, "job": 1, "audit_record": 3}
    assert filled.erase("xavier")["created_tokens"] == 1
    stored = [
        *library.engine.records.list("tokens"),
        *library.engine.records.list("jobs", f"{team}/"),
        *library.engine.audit.find(LogFilter(team=team), after=None, limit=100, newest_first=True),
    ]
    ours = [str(each) for each in stored if team in str(each)]
    assert ours
    assert not [each for each in ours if "yvonne" in each or "xavier" in each]
    assert not [each for each in ours if "192.0.2.7" in each and "zoltan" not in each]


def test_a_command_of_the_operator_is_recorded_before_and_after_it(
    library: Library, trail: AuditTrail, team: TeamId
) -> None:
    def outcomes() -> list[tuple[str, str]]:
        found = library.engine.audit.find(LogFilter(team=team), after=None, limit=10, newest_first=False)
        return [(entry.outcome, entry.body["object"]) for entry in found]

    with audited(trail, "token_create", team=team, subject="local:xavier") as made:
        assert outcomes() == [("unknown", "")]
        made.object = "t_1"
    assert outcomes() == [("unknown", ""), ("ok", "t_1")]
    with pytest.raises(NotFound), audited(trail, "token_revoke", team=team, subject="local:xavier"):
        raise NotFound("There is none", action="Look")
    assert outcomes()[-1] == ("not_found", "")


def test_what_a_subject_made_for_itself_is_its_own_and_is_revoked(
    filled: SubjectData, library: Library, team: TeamId
) -> None:
    store = TokenStore(library.engine.records)
    own = store.issue(team, ["search"], name="laptop", created_by="xavier", owner="a key")
    assert kinds(filled, "xavier") == {"token": 1, "created_token": 2}
    erased = filled.erase("xavier")
    assert (erased["revoked_tokens"], erased["created_tokens"]) == (1, 2)
    assert store.find(own.token) is None
    assert kinds(filled, "token:laptop") == {}


def test_sessions_are_exported_and_ended(
    filled: SubjectData, library: Library, background: Background, team: TeamId
) -> None:
    sessions = SessionStore(library.engine.records)
    everywhere = SubjectData(library, background, (KEY,), None)
    for name in ("yvonne", "zoltan"):
        sessions.create(f"{team}{name}", f"token:{name}", TokenSignIn("a digest", team))
    person = f"person of {team}"
    sessions.create(f"{team}person", person, IssuerSignIn("sealed tokens", 0.0))
    (exported,) = [item for item in filled.export("token:yvonne") if item["kind"] == "session"]
    assert (exported["team"], set(exported["value"])) == (team, {"kind", "created_at", "used_at"})
    assert filled.erase("token:yvonne")["sessions"] == 1
    assert kinds(filled, "token:zoltan")["session"] == 1
    assert (kinds(filled, person), kinds(everywhere, person)) == ({}, {"session": 1})
    assert everywhere.erase(person)["sessions"] == 1
    assert sessions.remove_team(team) == 1
