from pathlib import Path

import pytest

from indexer.environment import read_settings
from indexer.errors import NotConfigured
from workers.sources.settings import SourceSettings


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_INGEST_ROOTS", "/srv/papers, /srv/notes,")
    monkeypatch.setenv("TRAWL_FETCH_ALLOW", "Intranet.Example., 10.0.0.0/8")
    settings = read_settings(SourceSettings)
    assert settings.ingest_roots == (Path("/srv/papers"), Path("/srv/notes"))
    assert settings.fetch_allow == ("intranet.example", "10.0.0.0/8")


def test_nothing_is_allowed_unless_it_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRAWL_INGEST_ROOTS", raising=False)
    monkeypatch.delenv("TRAWL_FETCH_ALLOW", raising=False)
    settings = read_settings(SourceSettings)
    assert settings.ingest_roots == ()
    assert settings.fetch_allow == ()
    assert settings.max_file_bytes == 100_000_000
    assert settings.max_page_bytes == 20_000_000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRAWL_INGEST_ROOTS", "relative/folder"),
        ("TRAWL_FETCH_ALLOW", "10.0.0.1/8"),
        ("TRAWL_FETCH_ALLOW", "intranet/path"),
        ("TRAWL_MAX_FILE_MB", "-7.25"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(NotConfigured) as caught:
        read_settings(SourceSettings)
    assert name in caught.value.message
    assert value not in caught.value.message
