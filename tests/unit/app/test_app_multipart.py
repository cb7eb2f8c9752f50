from collections.abc import Iterator

import pytest

from app.http.multipart import parse_parts
from indexer.errors import Invalid

BOUNDARY = "sea-0123"
TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def form(*given: tuple[str, bytes]) -> bytes:
    written = b""
    for disposition, data in given:
        written += f"--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n".encode() + data + b"\r\n"
    return written + f"--{BOUNDARY}--\r\n".encode()


def in_pieces(body: bytes, size: int) -> Iterator[bytes]:
    return (body[start : start + size] for start in range(0, len(body), size))


def read_all(body: bytes, size: int = 1 << 20, content_type: str = TYPE) -> list[tuple[str, str | None, bytes]]:
    found = []
    for part in parse_parts(content_type, in_pieces(body, size)):
        data = b""
        while piece := part.read(7):
            data += piece
        found.append((part.name, part.filename, data))
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 17, 64, 1 << 20])
def test_parts_come_out_as_they_went_in_however_the_body_is_cut(size: int) -> None:
    data = bytes(range(256)) * 2 + b"\r\n--sea-012\r\n" + bytes(100)
    body = form(
        ('name="root"', b"notes"), ('name="files"; filename="a/b.md"', data), ('name="files"; filename=""', b"")
    )
    assert read_all(body, size) == [("root", None, b"notes"), ("files", "a/b.md", data), ("files", "", b"")]


@pytest.mark.parametrize(
    ("written", "meant"),
    [('filename="a%22b.md"', 'a"b.md'), ('filename="Zoë 海.md"', "Zoë 海.md"), (r'filename="a\"b.md"', 'a"b.md')],
)
def test_names_of_files_are_read_as_browsers_write_them(written: str, meant: str) -> None:
    assert read_all(form((f'name="files"; {written}', b"x"))) == [("files", meant, b"x")]


def test_a_part_that_nobody_reads_is_passed_over() -> None:
    body = form(('name="files"; filename="a"', b"x" * 1000), ('name="files"; filename="b"', b"y"))
    assert [part.filename for part in parse_parts(TYPE, in_pieces(body, 50))] == ["a", "b"]


def test_a_part_is_asked_for_no_sooner_than_it_is_read() -> None:
    asked = 0

    def pieces() -> Iterator[bytes]:
        nonlocal asked
        for piece in in_pieces(form(('name="files"; filename="a"', b"x" * 10_000)), 100):
            asked += 1
            yield piece

    part = next(parse_parts(TYPE, pieces()))
    assert part.read(10) == b"x" * 10
    assert asked < 5


@pytest.mark.parametrize(
    "body",
    [b"", b"no form at all", form(('name="files"; filename="a"', b"x"))[:-8], f"--{BOUNDARY}\r\nContent-Disp".encode()],
)
def test_a_broken_or_cut_form_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid, match="broken or incomplete"):
        read_all(body)


@pytest.mark.parametrize("content_type", ["", "application/json", "multipart/form-data", "multipart/mixed; boundary=x"])
def test_another_kind_of_body_is_refused(content_type: str) -> None:
    with pytest.raises(Invalid, match=r"multipart/form-data") as refused:
        read_all(b"", content_type=content_type)
    assert "files" in refused.value.action
