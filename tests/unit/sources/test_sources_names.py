import pytest

from workers.sources import names
from workers.sources.uploads.names import LeftOutFile, RejectedFile, check_root_name, is_archive, stored_path


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("research/2025-05-20/a.md", "2025-05-20"),
        ("research/2025-05-20/deep/a.md", "2025-05-20"),
        ("research/2024-01-01/2025-05-20/a.md", "2025-05-20"),
        ("2025-05-20/a.md", "2025-05-20"),
        ("research/2025-05-20 meeting/a.md", "2025-05-20"),
        ("research/2025-02-30/a.md", "1970-01-02"),
        ("research/2025-05-201/a.md", "1970-01-02"),
        ("research/2025-05-20.md", "1970-01-02"),
        ("research/a.md", "1970-01-02"),
    ],
)
def test_the_nearest_dated_folder_gives_the_date_else_the_files_time(path: str, date: str) -> None:
    assert names.date_of(path, 86_400.0) == date


@pytest.mark.parametrize("time", [1e30, -1e30, float("inf"), float("nan")])
def test_an_impossible_time_is_no_failure(time: float) -> None:
    assert names.date_of("research/a.md", time) == "1970-01-01"


def test_a_name_is_shown_as_valid_unicode_whatever_it_holds() -> None:
    shown = names.shown(("a", "\udcff\x1b[31mcafe\u0301.md"))
    assert shown == "a/\ufffd\ufffd[31mcaf\u00e9.md"
    assert shown.encode()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("\udcff.md", "has a name that is not valid UTF-8"),
        ("a\nb.md", "has a name with control characters"),
        ("a\x7f.md", "has a name with control characters"),
        ("naïve — 日本.md", None),
        ("back\\slash.md", None),
    ],
)
def test_names_that_cannot_be_shown_are_refused(name: str, reason: str | None) -> None:
    assert names.name_problem(name) == reason


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("a.md", ("a.md",)),
        ("./a//b/./c.md", ("a", "b", "c.md")),
        ("cafe\u0301.md", ("caf\u00e9.md",)),
        ("a\\b.md", ("a\\b.md",)),
    ],
)
def test_a_sent_name_says_where_a_file_stands(name: str, way: tuple[str, ...]) -> None:
    assert stored_path(name) == way


@pytest.mark.parametrize(
    ("name", "left_out", "reason"),
    [
        ("..a/b...md", "..a/", "hidden"),
        (".git/config.md", ".git/", "hidden"),
        ("a/.hidden.md", "a/.hidden.md", "hidden"),
        ("a/.b/.c/d.md", "a/.b/", "hidden"),
        ("__MACOSX/a.md", "__MACOSX/", "left out by default: __MACOSX/"),
    ],
)
def test_a_sent_name_says_which_folder_is_left_out(name: str, left_out: str, reason: str) -> None:
    with pytest.raises(LeftOutFile) as raised:
        stored_path(name)
    assert "/".join(raised.value.parts) + "/" * raised.value.is_folder == left_out
    assert raised.value.reason == reason


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd.md",
        "../a.md",
        "a/../../b.md",
        "a/..",
        "C:/a.md",
        "c:\\a.md",
        "",
        ".",
        "./",
        "a\0b.md",
        "a\nb.md",
        "\udc80.md",
        "x" * 256,
        "é" * 128,
        "a/" * 1_500 + "b.md",
    ],
)
def test_a_sent_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(RejectedFile):
        stored_path(name)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\n", "\udcff", "x" * 256])
def test_a_root_is_the_plain_name_of_a_folder(name: str) -> None:
    assert check_root_name("cafe\u0301") == "caf\u00e9"
    with pytest.raises(RejectedFile):
        check_root_name(name)


def test_archives_are_told_by_their_names() -> None:
    assert all(is_archive(name) for name in ("a.zip", "A.ZIP", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz"))
    assert not any(is_archive(name) for name in ("a.docx", "zip", "a.gz", "a.zip.md"))
