import gzip
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.sources.packed_files import GOOD, Files, Taken, tarred, zipped


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "part" / "files"
    place.mkdir(parents=True)
    return place


@pytest.mark.parametrize(
    ("archive", "name"),
    [
        (zipped(GOOD), "x.zip"),
        (zipped(GOOD, method=zipfile.ZIP_STORED), "x.ZIP"),
        (tarred(GOOD), "x.tar"),
        (tarred(GOOD, form=tarfile.GNU_FORMAT), "x.tar"),
        (gzip.compress(tarred(GOOD)), "x.tar.gz"),
        (gzip.compress(tarred(GOOD)), "x.tgz"),
        (lzma.compress(tarred(GOOD)), "x.tar.xz"),
        (gzip.compress(tarred(GOOD)), "x.tar"),
    ],
)
def test_archives_are_unpacked_with_the_times_of_their_files(folder: Path, archive: bytes, name: str) -> None:
    taken = Taken(folder, archive, name)
    assert taken.files == GOOD
    assert taken.failed == {}
    assert taken.whole
    assert all(path.stat().st_mtime == 1_709_373_600 for path in taken.stored.values())


def test_what_is_inside_goes_where_the_archive_stands(folder: Path) -> None:
    assert set(Taken(folder, zipped({"a.md": b"A"}), "sub/x.zip").files) == {"sub/a.md"}


EVIL = {"../out.md": b"x", "/abs.md": b"x", "good.md": b"good", "in.zip": b"x", ".git/a.md": b"x", "a.png": b"x"}


@pytest.mark.parametrize(("pack", "name"), [(zipped, "x.zip"), (tarred, "x.tar")])
def test_evil_names_are_refused_and_nested_archives_stay_packed(
    folder: Path, pack: Callable[[Files], bytes], name: str
) -> None:
    taken = Taken(folder, pack(EVIL), name)
    assert taken.files == {"good.md": b"good"}
    assert taken.failed == {
        "upload/../out.md": "has a path that leads out of the upload",
        "upload//abs.md": "has a path that leads out of the upload",
        "upload/in.zip": "is an archive inside an archive",
    }
    assert taken.skipped == {"upload/.git/": "hidden", "upload/a.png": "no reader for this kind"}
    assert {path.name for path in folder.parent.parent.rglob("*")} == {"part", "files", "good.md"}


def test_links_and_devices_in_a_tar_file_are_refused(folder: Path) -> None:
    special = []
    for name, kind in [
        ("s.md", tarfile.SYMTYPE),
        ("h.md", tarfile.LNKTYPE),
        ("f", tarfile.FIFOTYPE),
        ("d.md", tarfile.CHRTYPE),
    ]:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        special.append(info)
    taken = Taken(folder, tarred({"a.md": b"A"}, *special), "x.tar")
    assert taken.files == {"a.md": b"A"}
    assert taken.failed == {
        "upload/s.md": "is a link",
        "upload/h.md": "is a link",
        "upload/d.md": "is not a regular file",
    }
    assert taken.skipped == {"upload/f": "is not a regular file"}


def test_links_in_a_zip_file_are_refused(folder: Path) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        info.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert Taken(folder, zipped({"s.md": b"/etc/passwd"}, link), "x.zip").failed == {"upload/s.md": "is a link"}


def test_windows_paths_in_a_zip_file_are_paths(folder: Path) -> None:
    def windows(info: zipfile.ZipInfo) -> None:
        info.create_system = 0

    taken = Taken(folder, zipped({"sub\\a.md": b"A", "..\\out.md": b"x"}, windows), "x.zip")
    assert taken.files == {"sub/a.md": b"A"}
    assert taken.failed == {"upload/../out.md": "has a path that leads out of the upload"}


def test_utf8_names_are_recognised_in_a_zip_file_that_does_not_say_so(folder: Path) -> None:
    plain = zipped({"cXX.md": b"A"}).replace(b"cXX", b"c\xc3\xa9")
    assert set(Taken(folder, plain, "x.zip").files) == {"c\u00e9.md"}


def test_encrypted_and_oddly_packed_files_are_named(folder: Path) -> None:
    encrypted = bytearray(zipped({"a.md": b"A"}))
    encrypted[6] |= 1
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    assert Taken(folder, bytes(encrypted), "x.zip").failed == {"upload/a.md": "is encrypted"}
    odd = zipped({"b.md": b"B"}, method=zipfile.ZIP_LZMA)
    assert list(Taken(folder, odd, "y.zip").failed) == ["upload/b.md"]


def test_a_file_too_large_in_an_archive_spoils_nothing(folder: Path) -> None:
    for name, archive in {"x.zip": zipped({"big.md": b"x" * 1_000_001, "a.md": b"A"})}.items():
        taken = Taken(folder, archive, name)
        assert taken.files == {"a.md": b"A"}
        assert taken.failed == {"upload/big.md": "is larger than 1 MB"}
    taken = Taken(folder, tarred({"big.md": b"x" * 1_000_001, "b.md": b"B"}), "x.tar")
    assert "b.md" in taken.files
    assert taken.failed == {"upload/big.md": "is larger than 1 MB"}


@pytest.mark.parametrize(
    ("archive", "name"),
    [
        (b"", "x.zip"),
        (b"no archive at all", "x.zip"),
        (zipped(GOOD)[:-30], "x.zip"),
        (b"no archive at all", "x.tar"),
        (b"", "x.tar"),
        (b"x" * 2_000, "x.tar"),
        (tarred(GOOD)[:1_400], "x.tar"),
        (tarred(GOOD)[:1_024], "x.tar"),
        (gzip.compress(tarred(GOOD))[:-20], "x.tar.gz"),
        (gzip.compress(tarred(GOOD))[:60] + b"broken" * 20, "x.tar.gz"),
        (lzma.compress(tarred(GOOD))[:100], "x.tar.xz"),
        (b"\xfd7zXZ\x00broken", "x.tar.xz"),
    ],
)
def test_a_damaged_archive_is_named(folder: Path, archive: bytes, name: str) -> None:
    taken = Taken(folder, archive, name)
    assert f"upload/{name}" in taken.failed
    assert not taken.whole


def test_a_damaged_member_of_a_zip_file_spoils_no_other(folder: Path) -> None:
    archive = zipped({"a.md": b"A" * 50, "b.md": b"B" * 50}, method=zipfile.ZIP_STORED).replace(b"A" * 50, b"x" * 50)
    taken = Taken(folder, archive, "x.zip")
    assert taken.files == {"b.md": b"B" * 50}
    assert taken.failed == {"upload/a.md": "is damaged in its archive"}
