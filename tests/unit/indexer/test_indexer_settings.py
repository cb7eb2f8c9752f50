import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.data_folder import user_data_folder
from indexer.environment import read_settings
from indexer.errors import NotConfigured
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("TRAWL_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_without_settings_the_engine_is_embedded() -> None:
    settings = read_settings(IndexerSettings)
    assert settings.chosen_engine == "tantivy"
    assert settings.data_dir == user_data_folder()
    assert settings.search_timeout == 10


def test_an_opensearch_url_chooses_opensearch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OPENSEARCH_URL", "https://one:9200, https://two:9200,")
    settings = read_settings(IndexerSettings)
    assert settings.chosen_engine == "opensearch"
    assert settings.opensearch_urls == ("https://one:9200", "https://two:9200")


def test_a_named_engine_wins_over_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OPENSEARCH_URL", "https://one:9200")
    monkeypatch.setenv("TRAWL_ENGINE", "tantivy")
    assert read_settings(IndexerSettings).chosen_engine == "tantivy"


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_SEARCH_TIMEOUT", "")
    assert read_settings(IndexerSettings).search_timeout == 10


def test_settings_are_read_from_a_dotenv_file_with_strange_lines_in_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TRAWL_SEARCH_TIMEOUT=3\nOTHER=thing\n")
    assert read_settings(IndexerSettings).search_timeout == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRAWL_ENGINE", "solr-hunter2"),
        ("TRAWL_SEARCH_TIMEOUT", "hunter2"),
        ("TRAWL_SEARCH_TIMEOUT", "nan"),
        ("TRAWL_SEARCH_TIMEOUT", "0"),
        ("TRAWL_OPENSEARCH_REPLICAS", "hunter2"),
        ("TRAWL_OPENSEARCH_SHARDS", "0"),
        ("TRAWL_MAX_INDICES", "0"),
    ],
)
def test_a_wrong_value_is_named_but_not_repeated(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("TRAWL_SECRET_KEY", "hunter2")
    with pytest.raises(NotConfigured) as caught:
        read_settings(IndexerSettings)
    assert name in caught.value.message
    assert "hunter2" not in str(caught.value.failure())


@pytest.mark.parametrize("value", ["auto", "0", "2"])
def test_replicas_are_a_number_or_auto(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OPENSEARCH_REPLICAS", value)
    assert str(read_settings(IndexerSettings).opensearch_replicas) == value


def test_secrets_are_not_shown_when_settings_are_printed() -> None:
    settings = IndexerSettings(secret_key=SecretStr("hunter2"), opensearch_password=SecretStr("hunter3"))
    assert "hunter" not in repr(settings)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in IndexerSettings.model_fields.values())


def test_the_embedded_key_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    settings = IndexerSettings(data_dir=tmp_path / "made" / "here")
    first = secret_keys(settings)[0]
    assert len(first) == 64
    assert secret_keys(settings)[0] == first
    path = tmp_path / "made" / "here" / "secret.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in path.parent.iterdir() if not p.name.endswith(".lock")) == ["secret.key"]


def test_two_data_folders_have_two_keys(tmp_path: Path) -> None:
    keys = {secret_keys(IndexerSettings(data_dir=tmp_path / name))[0] for name in ("one", "two")}
    assert len(keys) == 2


def test_processes_that_start_at_once_agree_on_the_key(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from indexer.settings import IndexerSettings as S;"
        "from indexer.secret_key import secret_keys as k; import sys;"
        "print(k(S(data_dir=Path(sys.argv[1])))[0].decode())"
    )
    root = Path(__file__).parents[3]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "data")],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        for _ in range(4)
    ]
    keys = {child.communicate(timeout=120)[0].strip() for child in children}
    assert len(keys) == 1
    assert len(keys.pop()) == 64


def test_half_a_key_of_a_killed_process_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret.key.new").write_text("ha")
    assert len(secret_keys(IndexerSettings(data_dir=tmp_path))[0]) == 64


def test_a_given_key_is_used_as_it_is(tmp_path: Path) -> None:
    settings = IndexerSettings(data_dir=tmp_path / "data", secret_key=SecretStr("given"))
    assert secret_keys(settings)[0] == b"given"
    assert not (tmp_path / "data").exists()


def test_earlier_keys_come_after_the_current_one(tmp_path: Path) -> None:
    settings = IndexerSettings(data_dir=tmp_path, secret_key=SecretStr("new"), secret_key_old=SecretStr("hush, hush2,"))
    assert secret_keys(settings) == (b"new", b"hush", b"hush2")
    assert "hush" not in repr(settings)


def test_opensearch_without_a_key_says_how_to_make_one() -> None:
    settings = IndexerSettings(opensearch_url="http://127.0.0.1:9")
    with pytest.raises(NotConfigured, match="TRAWL_SECRET_KEY") as caught:
        secret_keys(settings)
    assert "secrets.token_hex" in str(caught.value.command)
