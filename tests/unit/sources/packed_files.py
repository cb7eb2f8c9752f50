"""Archives made for tests, and what becomes of them."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from workers.sources.settings import SourceSettings
from workers.sources.uploads.writer import UploadWriter

SETTINGS = SourceSettings(max_file_mb=1, max_upload_mb=60)
Files = dict[str, bytes]


class Taken:
    def __init__(self, folder: Path, archive: bytes, name: str, max_files: int = 1_000) -> None:
        writer = UploadWriter(folder, "upload", SETTINGS, max_files)
        writer.add(name, io.BytesIO(archive))
        self.failed = {file.path: file.reason for file in writer.failed}
        self.skipped = {file.path: file.reason for file in writer.skipped.result().first}
        self.whole = writer.complete
        self.stored = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
        self.files = {name: path.read_bytes() for name, path in self.stored.items()}


GOOD = {"a.md": b"# A", "deep/er/b.txt": b"B", "long" * 40 + "/c.md": b"C"}


def zipped(
    files: Files, change: Callable[[zipfile.ZipInfo], None] | None = None, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (2024, 3, 2, 10, 0, 0))
            info.create_system = 3
            info.compress_type = method
            if change:
                change(info)
            archive.writestr(info, data)
    return output.getvalue()


def tarred(files: Files, *special: tarfile.TarInfo, form: int = tarfile.PAX_FORMAT) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=form) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_709_373_600
            archive.addfile(info, io.BytesIO(data))
        for info in special:
            archive.addfile(info)
    return output.getvalue()
