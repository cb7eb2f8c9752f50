"""Small files for the parsers' tests, written by hand where a library would hide what is in them."""

import zlib
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter

Link = tuple[str, tuple[int, int, int, int]]


def pdf(
    pages: Sequence[Sequence[str]],
    *,
    links: Sequence[Link] = (),
    information: str = "",
    repeat: int = 1,
) -> bytes:
    """Return a PDF with lines of text on each page, and link annotations on the first."""
    contents = [_content(lines) for lines in pages]
    return _assembled(contents, links=links, information=information, repeat=repeat)


def slow_pdf() -> bytes:
    """Return a small PDF that takes an hour to read: many operators on one page, and that page many times."""
    return _assembled([b"BT /F1 1 Tf " + b"( ) Tj T* " * 20_000 + b"ET"], links=(), information="", repeat=19_000)


def encrypted_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf([["A secret"]]))))
    writer.encrypt("the password", algorithm="RC4-128")
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def _content(lines: Sequence[str]) -> bytes:
    shown = "".join(f"1 0 0 1 72 {720 - 20 * row} Tm ({line}) Tj\n" for row, line in enumerate(lines))
    return f"BT /F1 12 Tf\n{shown}ET".encode("latin-1")


def _assembled(contents: Sequence[bytes], *, links: Sequence[Link], information: str, repeat: int) -> bytes:
    first_page = 4
    page_numbers = [first_page + 2 * index for index in range(len(contents))]
    kids = " ".join(f"{number} 0 R" for number in page_numbers * repeat)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(page_numbers) * repeat} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    annotations = "".join(
        f"<< /Type /Annot /Subtype /Link /Rect [{' '.join(map(str, place))}] /A << /S /URI /URI ({target}) >> >> "
        for target, place in links
    )
    for index, content in enumerate(contents):
        annots = f"/Annots [{annotations}]" if annotations and index == 0 else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {page_numbers[index] + 1} 0 R {annots} >>".encode()
        )
        packed = zlib.compress(content)
        head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + packed + b"\nendstream")
    objects.append(f"<< {information} >>".encode("latin-1"))
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    written = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(written)
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    written += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{table}\n%%EOF"
    return bytes(written) + trailer.encode()
