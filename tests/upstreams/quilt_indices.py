"""A catalog's contents in real indices, mapped as Quilt's indexers of both ages map them."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.upstreams.quilt_contents import QuiltContents
from tests.upstreams.quilt_documents import Document, flat_documents, hit_documents, joined_documents, object_documents

_ANALYSIS = {"analyzer": {"words": {"type": "pattern", "pattern": r"[^\p{L}\p{N}]+", "lowercase": True}}}
_TEXT = {"type": "text", "analyzer": "words"}
_KEYWORD: dict[str, Any] = {"type": "keyword"}
_NAME = {"type": "keyword", "fields": {"text": _TEXT}}
_DATE, _LONG, _BOOLEAN, _STORED = {"type": "date"}, {"type": "long"}, {"type": "boolean"}, {"enabled": False}
_META_FIELDS = {
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
_WORKFLOW = {"properties": {"id": _KEYWORD, "config_version_id": _KEYWORD}}
_FOUND_NAME, _FOUND_TEXT = {"type": "keyword", "copy_to": "all"}, {**_TEXT, "copy_to": "all"}
_STATS = {"properties": {"total_bytes": _LONG, "total_files": _LONG}}
_MAPPINGS: dict[str, dict[str, Any]] = {
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


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Contents, and where they are indexed: for Elasticsearch as Quilt does it, for GraphQL in an index of ours."""

    url: str
    name: str
    contents: QuiltContents

    @property
    def hits(self) -> str:
        return f"{self.name}-hits"

    def concrete(self, alias: str, packages_form: str) -> str:
        """Return the name of the index behind the one that callers name."""
        bucket = alias.removesuffix("_packages")
        return f"{self.name}-{'objects' if bucket == alias else packages_form}-{bucket}"


@contextmanager
def catalogued(opensearch_url: str, contents: QuiltContents) -> Iterator[Catalogue]:
    """Hold the contents in indices of their own while inside."""
    catalogue = Catalogue(opensearch_url, f"quilt-{uuid4().hex}", contents)
    with httpx.Client(base_url=opensearch_url, timeout=120, trust_env=False) as client:
        try:
            _fill(client, catalogue.hits, "hits", hit_documents(contents))
            for bucket in contents.buckets:
                for mapping, alias, made in (
                    ("objects", bucket, object_documents(contents, bucket)),
                    ("flat", f"{bucket}_packages", flat_documents(contents, bucket)),
                    ("joined", f"{bucket}_packages", joined_documents(contents, bucket)),
                ):
                    _fill(client, catalogue.concrete(alias, mapping), mapping, made)
            yield catalogue
        finally:
            client.delete(f"/{catalogue.name}-*")


def _fill(client: httpx.Client, index: str, mapping: str, documents: Iterable[Document]) -> None:
    settings = {"number_of_shards": 1, "number_of_replicas": 0, "analysis": _ANALYSIS}
    mappings = {"dynamic": "strict", "properties": _MAPPINGS[mapping]}
    client.put(f"/{index}", json={"settings": settings, "mappings": mappings}).raise_for_status()
    lines: list[str] = []
    for each in documents:
        action = {"_id": each.id} | ({"routing": each.routing} if each.routing else {})
        lines += (json.dumps({"index": action}), json.dumps(each.source))
    for start in range(0, len(lines), 10_000):
        body = "\n".join(lines[start : start + 10_000]) + "\n"
        headers = {"content-type": "application/x-ndjson"}
        reply = client.post(f"/{index}/_bulk", content=body.encode(), headers=headers).raise_for_status().json()
        assert not reply["errors"], [each for each in reply["items"] if each["index"]["status"] >= 300][:1]
    client.post(f"/{index}/_refresh").raise_for_status()
