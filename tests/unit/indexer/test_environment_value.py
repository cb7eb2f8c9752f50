"""A setting that commands read without pydantic has the value that the service reads with it."""

import os
import tempfile
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.data_folder import configured_data_folder
from indexer.environment import read_settings
from indexer.environment_value import environment_value
from indexer.errors import NotConfigured
from indexer.settings import IndexerSettings

NAMES = st.sampled_from(["TRAWL_DATA_DIR", "trawl_data_dir", "Trawl_Data_Dir", "TRAWL_DATA_DIRS", "DATA_DIR", "BASE"])
PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_characters="\x7f"), max_size=12)
WRITTEN = st.one_of(PLAIN, PLAIN.map(lambda text: f'"{text}"'), st.sampled_from(["", '""', "${BASE}/x", "a b # c"]))
LINES = st.tuples(st.sampled_from(["", "export ", "# "]), NAMES, st.sampled_from(["=", " = ", ""]), WRITTEN).map(
    "".join
)


@given(environment=st.dictionaries(NAMES, PLAIN, max_size=3), lines=st.none() | st.lists(LINES, max_size=4))
def test_the_data_folder_of_a_command_is_that_of_the_service(
    environment: dict[str, str], lines: list[str] | None
) -> None:
    with tempfile.TemporaryDirectory() as folder, chdir(folder), patch.dict(os.environ, environment, clear=True):
        os.environ["HOME"] = folder
        if lines is not None:
            Path(".env").write_text("\n".join(lines), encoding="utf-8")
        assert configured_data_folder() == IndexerSettings().data_dir


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRAWL_DATA_DIR", raising=False)
    assert environment_value("TRAWL_DATA_DIR") is None
    (tmp_path / ".env").write_text('TRAWL_DATA_DIR="/from the file"\n')
    assert environment_value("TRAWL_DATA_DIR") == "/from the file"
    monkeypatch.setenv("TRAWL_DATA_DIR", "/given")
    assert environment_value("TRAWL_DATA_DIR") == "/given"
    monkeypatch.setenv("TRAWL_DATA_DIR", "")
    assert environment_value("TRAWL_DATA_DIR") == "/from the file"


def test_a_file_in_another_encoding_is_refused_by_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRAWL_DATA_DIR", raising=False)
    (tmp_path / ".env").write_bytes(b"TRAWL_DATA_DIR=/s3cr\xe9t\n")
    for read in (configured_data_folder, lambda: read_settings(IndexerSettings)):
        with pytest.raises(NotConfigured, match="UTF-8") as failed:
            read()
        assert "s3cr" not in str(failed.value.failure())
