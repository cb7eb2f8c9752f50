import pytest

from app.settings_table import ALL_SETTINGS, MASK, with_defaults, with_values
from indexer.settings import IndexerSettings


def values(**given: object) -> dict[str, tuple[str, bool]]:
    listed = with_values(IndexerSettings(_env_file=None, **given))
    return {setting.name: (setting.value, setting.given) for setting in listed}


def test_secrets_are_masked() -> None:
    shown = values(opensearch_password="s3cret", secret_key="s3cret")
    assert shown["TRAWL_OPENSEARCH_PASSWORD"] == (MASK, True)
    assert shown["TRAWL_SECRET_KEY"] == (MASK, True)


def test_credentials_in_addresses_are_masked() -> None:
    shown = values(opensearch_url="https://user:s3cret@one.example.org:9200,http://s3cret@two.example.org")
    assert shown["TRAWL_OPENSEARCH_URL"][0] == f"https://{MASK}@one.example.org:9200,http://{MASK}@two.example.org"


def test_what_was_given_is_told_from_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRAWL_DATA_DIR", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    shown = values(opensearch_shards=3)
    assert shown["TRAWL_OPENSEARCH_SHARDS"] == ("3", True)
    assert shown["TRAWL_DATA_DIR"] == ("/somewhere/trawl", False)


@pytest.mark.parametrize("kind", ALL_SETTINGS, ids=lambda kind: kind.__name__)
def test_every_setting_says_what_it_is_for(kind: type) -> None:
    assert all(setting.description for setting in with_defaults(kind))
