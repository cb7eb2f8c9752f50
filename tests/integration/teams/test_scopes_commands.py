"""Scopes and commands: a command at a remote service does what its token allows, or says which scope is missing."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from app.cli.commands.index_option import complete_index
from app.cli.main import main
from app.cli.routes import ROUTES
from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.access.scopes import ALL_SCOPES, SCOPES
from mcp_server.access.token_store import TokenStore
from tests.integration.teams.matrix import issue_all, rows
from tests.operations import filled
from tests.scopes import SCOPE_OF
from tests.service import created_app, on_socket

CALLS = [
    ("searchLocalArchives", "search reef"),
    ("search_index", "search reef --index default"),
    ("archive_get_document", "show d_none"),
    ("archive_get_document", "open d_none --print"),
    ("search_get_document", "show one --index default"),
    ("cite", "cite d_none"),
    ("archive_list", "list"),
    ("archive_delete", "rm d_none"),
    ("search_delete_document", "rm none --index default"),
    ("search_list_indices", "indices"),
    ("reindex_start", "reindex geology"),
    ("job_list", "jobs list"),
    ("job_status", "jobs show {job}"),
    ("job_cancel", "jobs cancel {job}"),
    ("job_retry", "jobs retry {job}"),
    ("status", "status"),
    ("archive_ingest", "ingest https://example.org/"),
    ("archive_upload", "ingest {file}"),
]
"""Every operation that commands call at a service, with such a command."""
ABSENT = ("not found", "There is no document", "Job is still queued")
"""What an allowed command may say of the things that it names."""


@dataclass(frozen=True)
class Remote:
    """A service at an address, the tokens by their scopes, and a file to send."""

    url: str
    tokens: dict[frozenset[str], str]
    job: str
    file: Path

    def run(self, command: str, scopes: frozenset[str]) -> Result:
        words = [word.format(job=self.job, file=self.file) for word in command.split()]
        return CliRunner().invoke(main, words, env=self.environment(scopes))

    def environment(self, scopes: frozenset[str]) -> dict[str, str]:
        return {"TRAWL_URL": self.url, "TRAWL_TOKEN": self.tokens[scopes]}


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    folder = tmp_path_factory.mktemp("remote")
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder / "library"))
    tokens = issue_all(TokenStore(library.engine.records))
    file = folder / "note.md"
    file.write_text("# A reef\n")

    async def fill(url: str) -> str:
        headers = {"authorization": f"Bearer {tokens[ALL_SCOPES]}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as client:
            return await filled(client)

    with on_socket(created_app(folder, library=library, auth="on", mcp={"calls_per_minute": 0})) as url:
        yield Remote(url, tokens, asyncio.run(fill(url)), file)
    library.close()


@pytest.fixture(autouse=True)
def settings_of_this_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("TRAWL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRAWL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def test_every_operation_that_commands_call_has_a_command_here() -> None:
    # `trawl login` alone asks who it is, with a token of its own.
    assert {operation for operation, _ in CALLS} == set(ROUTES) - {"account"}


@pytest.mark.parametrize(("operation", "command"), CALLS, ids=[command for _, command in CALLS])
def test_a_command_is_open_to_its_own_scope_alone(remote: Remote, operation: str, command: str) -> None:
    for scopes, is_allowed in rows(operation):
        done = remote.run(command, scopes)
        if is_allowed:
            assert done.exit_code == 0 or any(words in done.output for words in ABSENT), (scopes, done.output)
            continue
        missing = SCOPE_OF[operation]
        assert done.exit_code == 1
        assert done.stdout == ""
        what, advice = done.stderr.splitlines()[-2:]
        assert what == f"This token does not have the scope {missing}"
        assert f"token with the scope {missing}" in advice


@pytest.mark.parametrize("scope", SCOPES)
def test_a_shell_completes_the_names_of_indices_for_readers(
    remote: Remote, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    for name, value in remote.environment(frozenset({scope})).items():
        monkeypatch.setenv(name, value)
    suggested = {item.value for item in complete_index(None, None, "")}  # type: ignore[arg-type]  # both are unused
    assert ("default" in suggested) == (scope == "search")


def test_a_revoked_token_ends_every_command_with_the_way_out(remote: Remote) -> None:
    for _, command in CALLS:
        words = [word.format(job=remote.job, file=remote.file) for word in command.split()]
        done = CliRunner().invoke(main, words, env={"TRAWL_URL": remote.url, "TRAWL_TOKEN": "trawl_" + "x" * 49})
        assert done.exit_code == 1
        assert "The token is not valid: it is unknown, expired or revoked\n" in done.stderr
