from pathlib import Path

import pytest
from pydantic import SecretStr

from app.cli.safety_checks import exposure, secrets
from app.settings import AppSettings
from indexer.settings import IndexerSettings

PUBLIC = {"host": "0.0.0.0", "public_url": "https://search.example.org"}


def found(**given: object) -> dict[str, str]:
    return {check.name: check.status for check in exposure(AppSettings(_env_file=None, **given))}


def test_a_service_on_loopback_is_safe() -> None:
    assert found() == {"exposure": "ok"}


@pytest.mark.parametrize("given", [{"host": "0.0.0.0"}, {"host": "0.0.0.0", "public_url": "http://search.example.org"}])
def test_tokens_that_travel_unencrypted_are_unsafe(given: dict[str, object]) -> None:
    assert found(**given) == {"exposure": "broken"}


def test_a_proxy_that_nobody_named_is_unsafe() -> None:
    assert found(**PUBLIC) == {"exposure": "ok", "proxies": "broken"}
    assert found(**PUBLIC, trusted_proxies=("10.0.0.7",)) == {"exposure": "ok"}


def test_a_private_key_that_others_may_read_is_unsafe(tmp_path: Path) -> None:
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).touch()
    (tmp_path / "key.pem").chmod(0o644)
    tls = {"tls_cert": tmp_path / "cert.pem", "tls_key": tmp_path / "key.pem"}
    assert found(**PUBLIC, **tls) == {"exposure": "ok", "tls key": "broken"}
    (tmp_path / "key.pem").chmod(0o600)
    assert found(**PUBLIC, **tls) == {"exposure": "ok"}


def test_open_metrics_are_named() -> None:
    assert found(**PUBLIC, trusted_proxies=("10.0.0.7",), metrics_port=9100)["metrics"] == "ok"
    assert "metrics" not in found(metrics_port=9100)


def test_no_authentication_on_an_open_address_is_unsafe() -> None:
    assert found(host="0.0.0.0", auth="off") == {"exposure": "broken"}


def test_a_short_key_and_a_password_without_tls_are_unsafe() -> None:
    password = SecretStr("hush")
    cluster = {"opensearch_password": password, "secret_key": SecretStr("k" * 32)}
    plain = IndexerSettings(_env_file=None, opensearch_url="http://search.internal:9200", **cluster)
    assert [check.name for check in secrets(plain)] == ["opensearch"]
    for safe in ("https://search.internal:9200", "http://127.0.0.1:9200"):
        assert not list(secrets(IndexerSettings(_env_file=None, opensearch_url=safe, **cluster)))
    short = IndexerSettings(_env_file=None, secret_key=SecretStr("short"))
    (check,) = secrets(short)
    assert (check.name, check.status) == ("secret key", "broken")
    assert "short" not in check.detail
