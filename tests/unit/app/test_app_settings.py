import pytest

from app.settings import AppSettings, is_loopback, needs_tokens, refuse_exposure
from indexer.environment import read_settings
from indexer.errors import NotConfigured


def settings(**given: object) -> AppSettings:
    return AppSettings(_env_file=None, **given)


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in AppSettings.model_fields:
        monkeypatch.delenv(f"TRAWL_{name.upper()}", raising=False)
    monkeypatch.chdir(str(tmp_path))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "localhost", "LOCALHOST", "localhost.", "::1", "[::1]"])
def test_loopback_names_and_addresses_are_recognised(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "localhost.example.org", "127.0.0.1.example.org", ""])
def test_other_names_and_addresses_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("given", "needed"),
    [
        ({"host": "0.0.0.0"}, True),
        ({"host": "search.example.org"}, True),
        ({"public_url": "https://search.example.org"}, True),
        ({"auth": "on"}, True),
        ({}, False),
        ({"host": "localhost", "public_url": "http://localhost:8000"}, False),
        ({"auth": "off"}, False),
    ],
)
def test_a_service_open_to_others_needs_tokens(given: dict[str, object], *, needed: bool) -> None:
    assert needs_tokens(settings(**given)) is needed


@pytest.mark.parametrize("given", [{"host": "0.0.0.0"}, {"public_url": "https://search.example.org"}])
def test_a_service_open_to_others_does_not_start_without_authentication(given: dict[str, object]) -> None:
    with pytest.raises(NotConfigured, match="TRAWL_AUTH is off") as refused:
        refuse_exposure(settings(auth="off", **given))
    assert "trawl token create" in refused.value.action


@pytest.mark.parametrize(
    "given", [{}, {"auth": "off"}, {"host": "::1"}, {"host": "localhost", "public_url": "http://localhost:8000"}]
)
def test_a_service_on_loopback_may_start(given: dict[str, object]) -> None:
    refuse_exposure(settings(**given))


def test_the_defaults_are_those_of_the_contract() -> None:
    read = settings()
    assert (read.host, read.port, read.public_url, read.allowed_hosts, read.auth) == (
        "127.0.0.1",
        8000,
        None,
        (),
        "auto",
    )


def test_allowed_hosts_are_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_ALLOWED_HOSTS", "Search.example.org, other.example.org,")
    assert read_settings(AppSettings).allowed_hosts == ("search.example.org", "other.example.org")


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "70000"), ("PORT", "s3cret"), ("AUTH", "s3cret"), ("PUBLIC_URL", "s3cret.example.org")],
)
def test_a_wrong_setting_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"TRAWL_{name}", value)
    with pytest.raises(NotConfigured, match=f"TRAWL_{name}") as failed:
        read_settings(AppSettings)
    assert value not in str(failed.value.failure())
