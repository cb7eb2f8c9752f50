"""Documents as Quilt's indexers write them: objects, packages in both forms, and the hits of GraphQL."""

import json
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from app.sandbox.engine.documents import Document
from app.sandbox.quilt.contents import QuiltContents, QuiltPackage, Revision

_LATEST: Final = "latest"


def object_documents(contents: QuiltContents, bucket: str) -> Iterator[Document]:
    """Yield the objects of a bucket."""
    for each in contents.objects:
        if each.bucket != bucket:
            continue
        source: dict[str, Any] = {
            "etag": f"etag-{each.version}",
            "key": each.key,
            "last_modified": each.modified.isoformat(),
            "size": each.size,
            "version_id": each.version,
            "content": each.content,
            "event": "ObjectRemoved:DeleteMarkerCreated" if each.deleted else "ObjectCreated:Put",
            "ext": each.ext,
            "updated": each.modified.isoformat(),
        }
        # Documents of the first indexer say nothing of deletion, and have a few texts more.
        old = each.size % 2 == 0 and not each.deleted
        source |= {"comment": "", "meta_text": " ", "target": ""} if old else {"delete_marker": each.deleted}
        yield Document(f"{each.key}:{each.version}", source)
    for stray in contents.strays:
        if stray.startswith(f"{bucket}/"):
            yield Document(f"{stray.removeprefix(f'{bucket}/')}:v0", {"was_packaged": True})


def flat_documents(contents: QuiltContents, bucket: str) -> Iterator[Document]:
    """Yield packages as they were indexed until about 2024: a document for each pointer."""
    for package in _packages(contents, bucket):
        for pointer, revision in _pointers(package):
            source = {
                "etag": f"etag-{pointer}",
                "handle": package.name,
                "hash": revision.hash,
                "key": f".quilt/named_packages/{package.name}/{pointer}",
                "pointer_file": pointer,
                "comment": revision.message,
                "metadata": json.dumps(revision.meta, ensure_ascii=False),
                "package_stats": {"total_bytes": revision.size, "total_files": len(revision.entries)},
                "last_modified": revision.modified.isoformat(),
                "delete_marker": False,
            }
            yield Document(f"{package.name}:{pointer}", source)


def joined_documents(contents: QuiltContents, bucket: str) -> Iterator[Document]:
    """Yield packages as they are indexed since then: manifests, with their pointers and entries as children."""
    for package in _packages(contents, bucket):
        for revision in package.revisions:
            yield from _manifest(revision)
        for pointer, revision in _pointers(package):
            parent = f"mnfst:{revision.hash}"
            source = {
                "join_field": {"name": "ptr", "parent": parent},
                "ptr_name": package.name,
                "ptr_tag": pointer,
                "ptr_last_modified": revision.modified.isoformat(),
            }
            yield Document(f"ptr:{_digest(f'{package.name}/{pointer}')}", source, parent)


def hit_documents(contents: QuiltContents) -> Iterator[Document]:
    """Yield what GraphQL finds: objects, and every revision of the packages."""
    for each in contents.objects:
        id_ = f"{each.bucket}/{each.key}:{each.version}"
        source = {
            "kind": "object",
            "hit_id": id_,
            "bucket": each.bucket,
            "key": each.key,
            "version": each.version,
            "size": each.size,
            "modified": each.modified.isoformat(),
            "deleted": each.deleted,
            "ext": each.ext,
            "content": each.content,
        }
        yield Document(_digest(id_), source)
    for package in contents.packages:
        for revision in package.revisions:
            latest = revision is package.latest
            id_ = f"{package.bucket}/{package.name}/{revision.hash}"
            made = {
                "kind": "package",
                "hit_id": id_,
                "bucket": package.bucket,
                "name": package.name,
                "pointer": _LATEST if latest else _timestamp(revision),
                "hash": revision.hash,
                "size": revision.size,
                "modified": revision.modified.isoformat(),
                "entries": len(revision.entries),
                "comment": revision.message,
                "meta": json.dumps(revision.meta, ensure_ascii=False),
                "latest": latest,
                "fields": list(_metadata_fields(revision.meta)),
                "contained": [[entry.logical_key, entry.physical_key, entry.size] for entry in revision.entries],
            }
            yield Document(_digest(id_), made)


def _pointers(package: QuiltPackage) -> Iterator[tuple[str, Revision]]:
    """Yield the pointers of each revision: its time, and `latest` for the newest."""
    for revision in package.revisions:
        yield _timestamp(revision), revision
    yield _LATEST, package.latest


def _timestamp(revision: Revision) -> str:
    return str(int(revision.modified.timestamp()))


def _metadata_fields(meta: dict[str, Any], path: str = "") -> Iterator[dict[str, Any]]:
    """Split metadata by JSON pointer and type, as the indexer does."""
    for key, value in meta.items():
        pointer = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if isinstance(value, dict):
            yield from _metadata_fields(value, pointer)
            continue
        type_ = _type(value)
        if type_ is not None:
            text = json.dumps(value, ensure_ascii=False)
            yield {"json_pointer": pointer, "type": type_, "text": text, type_: value}


def _type(value: Any) -> str | None:
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "double"
        case str():
            try:
                datetime.fromisoformat(value.removesuffix("Z"))
            except ValueError:
                return "keyword"
            return "date"
        case [_, *_] if all(isinstance(each, str) for each in value):
            return "keyword"
    return None


def _manifest(revision: Revision) -> Iterator[Document]:
    parent = f"mnfst:{revision.hash}"
    for entry in revision.entries:
        source = {
            "join_field": {"name": "entry", "parent": parent},
            "entry_lk": entry.logical_key,
            "entry_pk": entry.physical_key,
            "entry_size": entry.size,
            "entry_hash": {"type": "SHA256", "value": _digest(entry.physical_key)},
            "entry_metadata": None,
        }
        yield Document(f"entry:{revision.hash}:{_digest(entry.logical_key)}", source, parent)
    made = {
        "join_field": {"name": "mnfst"},
        "mnfst_hash": revision.hash,
        "mnfst_last_modified": revision.modified.isoformat(),
        "mnfst_message": revision.message,
        "mnfst_metadata": json.dumps(revision.meta, ensure_ascii=False),
        "mnfst_metadata_fields": list(_metadata_fields(revision.meta)),
        "mnfst_stats": {"total_bytes": revision.size, "total_files": len(revision.entries)},
        "mnfst_workflow": None,
    }
    yield Document(parent, made, parent)


def _packages(contents: QuiltContents, bucket: str) -> Iterator[QuiltPackage]:
    return (each for each in contents.packages if each.bucket == bucket)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
