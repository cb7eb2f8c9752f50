"""Settings of Quilt."""

from typing import Any

import pytest
from pydantic import ValidationError

from mcp_server.features.quilt.settings import QuiltSettings


def given(**values: Any) -> QuiltSettings:
    return QuiltSettings(_env_file=None, **values)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_QUILT_CATALOG_URL", "https://quilt.example.com/")
    monkeypatch.setenv("TRAWL_QUILT_TOKEN", "hush-hush")
    monkeypatch.setenv("TRAWL_QUILT_BUCKETS", "one, two")
    settings = given()
    assert (settings.catalog_url, settings.buckets) == ("https://quilt.example.com", ("one", "two"))
    assert settings.token is not None
    assert settings.token.get_secret_value() == "hush-hush"
    assert "hush-hush" not in repr(settings)


@pytest.mark.parametrize("wrong", [{"catalog_url": "quilt"}, {"catalog_url": "ftp://a"}, {"timeout": 0}])
def test_wrong_settings_are_refused_without_their_value(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as error:
        given(**wrong)
    assert "input_value" not in str(error.value)


def test_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_QUILT_TOKEN", "")
    assert given().token is None
