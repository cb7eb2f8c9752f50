"""A folder of good files among hostile ones: what each holds, and why each bad one must be refused."""

import os
import socket
import zlib
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from docx import Document

from tests.unit.parsers.parser_files import encrypted_pdf, pdf, slow_pdf

WORD = "lantern"
"""Every good file says it; no bad one could be read that far."""
MEGABYTE = 1_000_000
DEEP = 10_000
OUTSIDE = "outside.md"


def good_files() -> dict[str, bytes]:
    """Return files that must all be found, however odd; the names are bytes of UTF-8."""
    plain = {f"{number:02d}-plain.md": f"# Note {number}\n\nA {WORD} of {number}.".encode() for number in range(40)}
    odd_names = (
        "caf\u00e9.md",
        "cafe\u0301s.md",
        "two-spellings-\u00e9.md",
        "-rf *.md",
        "quotes ' \" ` $HOME.md",
        "back\\slash.md",
        "\u202egnp.md",
        "\u65e5\u672c\u8a9e \U0001f9ed.md",
        f"{'long' * 63}.md",
        "deep/" * 40 + "leaf.md",
    )
    return {
        **plain,
        **{name: f"A {WORD} in a file with a name.".encode() for name in odd_names},
        "page.html": f"<html><body><p>A {WORD} on a page.</p></body></html>".encode(),
        "paper.pdf": pdf([[f"A {WORD} on paper."]]),
        "letter.docx": _word_file(f"A {WORD} in a letter."),
        "a-page-that-says-text.txt": f"<!doctype html><title>t</title><p>A {WORD} on a page.".encode(),
        "a-paper-that-says-page.html": pdf([[f"A {WORD} on paper."]]),
        "a-letter-that-says-paper.pdf": _word_file(f"A {WORD} in a letter."),
        "wide.txt": f"A {WORD} in wide letters.".encode("utf-16"),
        "old.txt": f"Eine {WORD} für Söhne, Töchter und Bären; überall schön.".encode("cp1252"),
        "cut-letter.txt": f"A {WORD} and half a letter: ".encode() + "é".encode()[:1],
        "nested-lists.md": b"- " * DEEP + WORD.encode(),
        "nested-quotes.md": b">" * DEEP + b" " + WORD.encode(),
        "indented-lists.md": b"\n".join(b"  " * depth + b"- a " + WORD.encode() for depth in range(500)),
        "brackets.md": b"[" * 3_000 + WORD.encode() + b"](" * 3_000,
        "front-matter.md": _laughing_front_matter() + f"A {WORD} after the laughter.".encode(),
        "a-line-of-five-megabytes.txt": f"{WORD} ".encode() * (5 * MEGABYTE // (len(WORD) + 1)),
    }


def bad_files() -> dict[bytes, tuple[bytes, str]]:
    """Return files that must be refused: name, content, and how the reason must read, as a regular expression."""
    paper = pdf([[f"A {WORD} on paper."] * 30])
    letter = _word_file(f"A {WORD} in a letter.")
    return {
        b"bomb.docx": (_word_bomb(210 * MEGABYTE), "unpacks to more than 200 MB"),
        b"lying-bomb.docx": (_lying_bomb(), "is a broken Word file"),
        b"hungry.docx": (_word_bomb(190 * MEGABYTE, b"<a/>"), "needed more than|took longer than"),
        b"zip-bomb.docx": (_zip_bomb(), "is a zip file, not a Word file"),
        b"bomb.pdf": (_pdf_bomb(200 * MEGABYTE), "unpacks to more than the reader allows"),
        b"slow.pdf": (slow_pdf(), "took longer than"),
        b"encrypted.pdf": (encrypted_pdf(), "is encrypted"),
        b"cut-early.pdf": (paper[:20], "is a broken PDF"),
        b"cut-in-the-page.pdf": (paper[: paper.index(b"/Contents")], "is a broken PDF"),
        b"empty.pdf": (b"%PDF-1.4\n", "is a broken PDF"),
        b"cut.docx": (letter[: len(letter) // 2], "is a broken Word or zip file"),
        b"text.pdf": (b"only text", "is named .pdf but is not a PDF"),
        b"text.docx": (b"only text", "is named .docx but is not a Word file"),
        b"picture.md": (b"\x89PNG\r\n\x1a\n" + bytes(100), "is a picture"),
        b"program.txt": (b"\x7fELF" + bytes(100), "is a program"),
        b"squeezed.html": (b"\x1f\x8b" + bytes(100), "is a compressed file"),
        b"noise.txt": (bytes(range(32)) * 1_000, "is not text"),
        b"nothing.md": (b"", "is empty"),
        b"nested.html": (b"<ul><li>" * DEEP + WORD.encode(), "is nested too deeply"),
        b"hungry.html": (b"<p>a</p>" * (3 * MEGABYTE), "needed more than|took longer than"),
        b"a-line-of-ninety-megabytes.txt": (b"word " * (18 * MEGABYTE), "holds more than 10 MB of text"),
        b"not-utf-8-\xff\xfe.md": (WORD.encode(), "has a name that is not valid UTF-8"),
        b"two\nlines.md": (WORD.encode(), "has a name with control characters"),
        "two-spellings-e\u0301.md".encode(): (b"", "has the same name as another file, but for its Unicode form"),
    }


def lay_out(folder: Path) -> tuple[set[str], dict[str, str]]:
    """Write all of them, and an ignore file of 40 MB.

    Return the ways of the good ones, and the bad ones with how their reasons must read.
    """
    good, bad = good_files(), bad_files()
    for name, content in good.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for raw, (content, _) in bad.items():
        Path(os.fsdecode(bytes(folder) + b"/" + raw)).write_bytes(content)
    with (folder / ".gitignore").open("w") as rules:
        rules.writelines(f"{'*a?b' * 100}{number}\n" for number in range(100_000))
    return set(good), {os.fsdecode(raw): reason for raw, (_, reason) in bad.items()} | _specials(folder)


def _specials(folder: Path) -> dict[str, str]:
    """Make what is no regular file, or leads elsewhere."""
    outside = folder.parent.parent / OUTSIDE
    outside.write_text(f"A {WORD} that nobody may read.")
    (folder / "link-out.md").symlink_to(outside)
    (folder / "link-up.md").symlink_to(f"../../{OUTSIDE}")
    (folder / "link-to-itself.md").symlink_to("link-to-itself.md")
    (folder / "link-to-nowhere.md").symlink_to("nowhere.md")
    (folder / "folder-out.md").symlink_to(outside.parent, target_is_directory=True)
    os.mkfifo(folder / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        try:
            # the path of a socket must be short
            os.chdir(folder)
            listening.bind("socket.md")
        finally:
            os.chdir(here)
    with (folder / "a-line-of-two-hundred-megabytes.md").open("wb") as huge:
        huge.write(f"A {WORD}. ".encode())
        huge.truncate(200 * MEGABYTE)
    specials = {
        "link-out.md": "is a link that leads out of the folder",
        "link-up.md": "is a link that leads out of the folder",
        "folder-out.md": "is a link that leads out of the folder",
        "link-to-itself.md": "is a link that leads nowhere",
        "link-to-nowhere.md": "is a link that leads nowhere",
        "pipe.md": "is not a regular file",
        "socket.md": "is not a regular file",
        "a-line-of-two-hundred-megabytes.md": "is larger than 100 MB",
    }
    if os.geteuid() != 0:
        (folder / "shut.md").write_text(WORD)
        (folder / "shut.md").chmod(0)
        specials["shut.md"] = "may not be read by this service"
    return specials


def _word_file(text: str) -> bytes:
    document = Document()
    document.add_paragraph(text)
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _word_bomb(size: int, filling: bytes = b" ") -> bytes:
    """Return a Word file whose text unpacks to so many bytes."""
    written = BytesIO()
    with ZipFile(BytesIO(_word_file("text"))) as letter, ZipFile(written, "w", ZIP_DEFLATED) as bomb:
        for entry in letter.infolist():
            data = letter.read(entry)
            if entry.filename == "word/document.xml":
                cut = data.index(b"<w:body>") + len(b"<w:body>")
                with bomb.open(entry.filename, "w", force_zip64=True) as part:
                    part.write(data[:cut])
                    for _ in range(size // MEGABYTE):
                        part.write(filling * (MEGABYTE // len(filling)))
                    part.write(data[cut:])
            else:
                bomb.writestr(entry, data)
    return written.getvalue()


def _lying_bomb() -> bytes:
    """Return a bomb that says in its directory that it is small."""
    bomb = bytearray(_word_bomb(100 * MEGABYTE))
    with ZipFile(BytesIO(bytes(bomb))) as archive:
        size = archive.getinfo("word/document.xml").file_size
    told = size.to_bytes(4, "little")
    at = bomb.rindex(told)
    bomb[at : at + 4] = (1_000).to_bytes(4, "little")
    return bytes(bomb)


def _zip_bomb() -> bytes:
    """Return a zip file of zip files of zip files, a gigabyte in all."""
    layer = bytes(MEGABYTE)
    for depth in range(3):
        written = BytesIO()
        with ZipFile(written, "w", ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{depth}-{number}.zip", layer)
        layer = written.getvalue()
    return layer


def _pdf_bomb(size: int) -> bytes:
    """Return a PDF whose only page unpacks to so many bytes."""
    packing = zlib.compressobj(9)
    packed = packing.compress(b"BT /F1 12 Tf (word) Tj ")
    for _ in range(size // MEGABYTE):
        packed += packing.compress(b"(word) Tj " * (MEGABYTE // 10))
    packed += packing.compress(b"ET") + packing.flush()
    paper = pdf([["page"]])
    start = paper.index(b"<< /Length")
    end = paper.index(b"endstream", start)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    # the table of places is wrong now; readers find the objects all the same
    return paper[:start] + head + packed + b"\n" + paper[end:]


def _laughing_front_matter() -> bytes:
    lines = ["a0: &a0 [ha, ha, ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(["---", *lines, "title: *a11", "---", ""]).encode()
