"""The indices of a catalog: for Elasticsearch as Quilt's indexers map them, for GraphQL one of our own."""

from collections.abc import Iterable
from typing import Any, Final, Literal

from app.sandbox.engine.documents import Document
from app.sandbox.engine.index import IndexPlan
from app.sandbox.quilt.contents import QuiltContents
from app.sandbox.quilt.documents import flat_documents, hit_documents, joined_documents, object_documents

PackagesForm = Literal["flat", "joined"]
"""How packages are indexed: `flat` until about 2024, `joined` since then."""
HITS: Final = "hits"
PACKAGES_SUFFIX: Final = "_packages"
_TEXT: Final = {"type": "text", "analyzer": "words"}
_KEYWORD: Final[dict[str, Any]] = {"type": "keyword"}
_NAME: Final = {"type": "keyword", "fields": {"text": _TEXT}}
_DATE: Final = {"type": "date"}
_LONG: Final = {"type": "long"}
_BOOLEAN: Final = {"type": "boolean"}
_STORED: Final = {"enabled": False}
_META_FIELDS: Final = {
    "type": "nested",
    "properties": {
        "json_pointer": _KEYWORD,
        "type": _KEYWORD,
        "text": _TEXT,
        "keyword": _KEYWORD,
        "double": {"type": "double"},
        "date": _DATE,
        "boolean": _BOOLEAN,
    },
}
_WORKFLOW: Final = {"properties": {"id": _KEYWORD, "config_version_id": _KEYWORD}}
_FOUND_NAME: Final = {"type": "keyword", "copy_to": "all"}
_FOUND_TEXT: Final = {**_TEXT, "copy_to": "all"}
_STATS: Final = {"properties": {"total_bytes": _LONG, "total_files": _LONG}}
_PROPERTIES: Final[dict[str, dict[str, Any]]] = {
    "objects": {
        "key": {"type": "keyword", "copy_to": "key_text"},
        **dict.fromkeys(("key_text", "content", "comment", "meta_text", "target", "s3_tags"), _TEXT),
        **dict.fromkeys(("ext", "version_id", "etag", "event"), _KEYWORD),
        **dict.fromkeys(("last_modified", "updated"), _DATE),
        **dict.fromkeys(("delete_marker", "was_packaged"), _BOOLEAN),
        **dict.fromkeys(("user_meta", "system_meta"), _STORED),
        "size": _LONG,
    },
    "flat": {
        "handle": {"type": "keyword", "copy_to": "handle_text"},
        **dict.fromkeys(("hash", "key", "pointer_file", "etag"), _KEYWORD),
        **dict.fromkeys(("handle_text", "comment", "metadata", "tags"), _TEXT),
        "package_stats": _STATS,
        "last_modified": _DATE,
        "workflow": _WORKFLOW,
        "delete_marker": _BOOLEAN,
    },
    "joined": {
        "join_field": {"type": "join", "relations": {"mnfst": ["ptr", "entry"]}},
        "mnfst_hash": _KEYWORD,
        "mnfst_last_modified": _DATE,
        **dict.fromkeys(("mnfst_message", "mnfst_metadata", "entry_metadata"), _TEXT),
        "mnfst_metadata_fields": _META_FIELDS,
        "mnfst_stats": _STATS,
        "mnfst_workflow": _WORKFLOW,
        **dict.fromkeys(("ptr_name", "entry_lk", "entry_pk"), _NAME),
        "ptr_tag": _KEYWORD,
        "ptr_last_modified": _DATE,
        "entry_size": _LONG,
        "entry_hash": {"properties": {"type": _KEYWORD, "value": _KEYWORD}},
        "entry_pk_parsed": _STORED,
    },
    "hits": {
        "all": _TEXT,
        **dict.fromkeys(("kind", "hit_id", "bucket", "ext", "version", "pointer", "hash", "workflow"), _KEYWORD),
        **dict.fromkeys(("key", "name"), _FOUND_NAME),
        **dict.fromkeys(("content", "comment", "meta"), _FOUND_TEXT),
        **dict.fromkeys(("size", "entries"), _LONG),
        "modified": _DATE,
        **dict.fromkeys(("deleted", "latest"), _BOOLEAN),
        "fields": _META_FIELDS,
        "contained": _STORED,
    },
}


def indices_of(contents: QuiltContents) -> list[IndexPlan]:
    """Return all indices, with packages in both forms."""
    plans = [_plan(HITS, HITS, hit_documents(contents))]
    for bucket in contents.buckets:
        packages = bucket + PACKAGES_SUFFIX
        plans += [
            _plan(index_of(bucket, "joined"), "objects", object_documents(contents, bucket)),
            _plan(index_of(packages, "flat"), "flat", flat_documents(contents, bucket)),
            _plan(index_of(packages, "joined"), "joined", joined_documents(contents, bucket)),
        ]
    return plans


def index_of(alias: str, packages_form: PackagesForm) -> str:
    """Return the name of the index behind the alias that callers name."""
    bucket = alias.removesuffix(PACKAGES_SUFFIX)
    return f"{'objects' if bucket == alias else packages_form}-{bucket}"


def _plan(name: str, kind: str, documents: Iterable[Document]) -> IndexPlan:
    return IndexPlan(name, _PROPERTIES[kind], list(documents))
