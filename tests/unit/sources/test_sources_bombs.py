import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.errors import Invalid
from tests.unit.sources.packed_files import Taken, tarred, zipped
from workers.sources.settings import SourceSettings
from workers.sources.uploads.writer import UploadWriter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "part" / "files"
    place.mkdir(parents=True)
    return place


def test_too_many_files_refuse_the_upload(folder: Path) -> None:
    with pytest.raises(Invalid, match="more than 5 files"):
        Taken(folder, zipped({f"{number}.md": b"x" for number in range(6)}), "x.zip", max_files=5)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compression_bomb_stops_early(folder: Path, pack: Callable[[bytes], bytes]) -> None:
    taken = Taken(folder, pack(tarred({"good.md": b"good", "bomb.png": bytes(40_000_000)})), "x.tar.gz")
    assert taken.files == {"good.md": b"good"}
    assert taken.failed == {"upload/x.tar.gz": "unpacks to more than 200 times its size"}
    assert not taken.whole


def test_a_zip_bomb_is_refused_by_name(folder: Path) -> None:
    writer = UploadWriter(folder, "upload", SourceSettings(max_file_mb=50, max_upload_mb=60))
    writer.add("x.zip", io.BytesIO(zipped({"bomb.md": bytes(40_000_000), "good.md": b"good"})))
    assert {file.path: file.reason for file in writer.failed} == {
        "upload/bomb.md": "unpacks to more than 200 times its size"
    }
    assert [path.name for path in folder.iterdir()] == ["good.md"]


def test_a_tar_file_that_unpacks_beyond_the_limit_stops(folder: Path) -> None:
    parts = {f"{number}.png": bytes(1_000) + str(number).encode() * 900_000 for number in range(70)}
    taken = Taken(folder, tarred(parts), "x.tar")
    assert taken.failed == {"upload/x.tar": "unpacks to more than 60 MB"}


def forged(kind: bytes, size: int, name: str = "a.md") -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize(
    "archive",
    [
        forged(tarfile.XHDTYPE, 1 << 33) + bytes(2_000_000),
        forged(tarfile.GNUTYPE_LONGNAME, 1 << 33) + bytes(2_000_000),
        forged(tarfile.GNUTYPE_SPARSE, 1 << 33) + bytes(2_000),
        forged(tarfile.REGTYPE, 1 << 70) + bytes(2_000),
        forged(tarfile.REGTYPE, -(1 << 40)) + bytes(2_000),
    ],
)
def test_headers_made_to_exhaust_memory_or_time_are_refused(folder: Path, archive: bytes) -> None:
    taken = Taken(folder, archive, "x.tar")
    assert "upload/x.tar" in taken.failed
    assert not taken.whole


@pytest.mark.parametrize(
    "headers",
    [
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "a.md", "GNU.sparse.realsize": "5"},
        {"size": "9" * 30},
        {"size": "-9999"},
    ],
)
def test_extended_headers_made_to_exhaust_memory_or_time_are_refused(folder: Path, headers: dict[str, str]) -> None:
    info = tarfile.TarInfo("a.png")
    info.pax_headers = headers
    taken = Taken(folder, info.tobuf(tarfile.PAX_FORMAT) + b"900000000\n" + bytes(20_470), "x.tar")
    assert "upload/x.tar" in taken.failed
    assert not taken.whole


def test_a_zip_file_whose_list_is_huge_is_refused_unread(folder: Path) -> None:
    archive = bytearray(zipped({"a.md": b"A"}))
    padding = b"\0" * 30_000_000
    end = archive.rindex(b"PK\x05\x06")
    archive[end + 12 : end + 16] = (30_000_000).to_bytes(4, "little")
    taken = Taken(folder, padding + bytes(archive), "x.zip")
    assert taken.failed == {"upload/x.zip": "is a zip file with too many members"}
