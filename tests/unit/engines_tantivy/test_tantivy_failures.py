import errno
from pathlib import Path

import pytest
from tantivy import Query

from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.schema import open_or_create_index, retry_interrupted
from indexer.errors import Invalid, MissingIndex, Unavailable
from indexer.schema.definition import IndexDefinition


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EACCES, "cannot be written or read"),
        (errno.EROFS, "cannot be written or read"),
        (errno.EFBIG, "largest size"),
        (errno.EMFILE, "Too many files"),
        (errno.EINTR, "too busy"),
        (errno.EAGAIN, "too busy"),
        (errno.EIO, "damaged"),
    ],
)
def test_an_error_of_the_system_says_what_to_do(tmp_path: Path, number: int, said: str) -> None:
    with pytest.raises(Unavailable, match=said) as of_python, translate_errors(tmp_path):
        raise OSError(number, "secret text")
    with pytest.raises(Unavailable, match=said) as of_tantivy, translate_errors(tmp_path):
        raise ValueError(f"An IO error occurred: 'secret text (os error {number})'")
    assert of_python.value.action == of_tantivy.value.action
    assert "secret" not in str(of_python.value.failure()) + str(of_tantivy.value.failure())


def test_a_folder_that_is_gone_is_a_missing_index(tmp_path: Path) -> None:
    with pytest.raises(MissingIndex), translate_errors(tmp_path / "gone"):
        raise ValueError("Failed to open file for read: 'FileDoesNotExist'")


def test_a_damaged_file_names_the_doctor(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{")
    with pytest.raises(Unavailable) as caught, translate_errors(tmp_path):
        open_or_create_index(IndexDefinition("local", 1), tmp_path)
    assert caught.value.command == "trawl doctor"


def test_a_wait_that_signals_break_off_is_begun_again() -> None:
    signals = [4, 4]

    def read() -> str:
        if signals:
            raise ValueError(f"Failed to acquire Lockfile: IoError(Os {{ code: {signals.pop()}, kind: Interrupted }}).")
        return "read"

    assert retry_interrupted(read) == "read"


def test_what_can_never_be_read_is_told_after_some_tries() -> None:
    tries = []

    def read() -> None:
        tries.append(1)
        raise ValueError("Data corrupted")

    with pytest.raises(ValueError, match="corrupted"):
        retry_interrupted(read)
    assert 1 < len(tries) < 10


def test_a_panic_of_tantivy_is_a_failure_and_no_crash(tmp_path: Path) -> None:
    searcher = open_or_create_index(IndexDefinition("local", 1), None).index.searcher()
    with pytest.raises(Unavailable), translate_errors(tmp_path):
        searcher.search(Query.all_query(), limit=0)


def test_a_refused_call_is_a_bug_that_tells_nothing_of_the_query(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"\Atantivy refused a call\Z"), translate_errors(tmp_path):
        open_or_create_index(IndexDefinition("local", 1), None).index.parse_query("kv:[secret")


def test_text_that_is_no_unicode_is_invalid(tmp_path: Path) -> None:
    with pytest.raises(Invalid), translate_errors(tmp_path):
        "\ud800".encode()


def test_other_failures_pass_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), translate_errors(tmp_path):
        raise KeyboardInterrupt
    with pytest.raises(KeyError), translate_errors(tmp_path):
        raise KeyError("k")
