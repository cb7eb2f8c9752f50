"""Test collections and the documentation tree, found outside the project by TRAWL_BENCH_DATA."""

import gzip
import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Collection:
    """Documents, queries, and which documents count as relevant for which query."""

    name: str
    documents: dict[str, str]
    queries: dict[str, str]
    relevant: dict[str, set[str]]


def data_folder() -> Path:
    folder = Path(os.environ.get("TRAWL_BENCH_DATA", "../shared/data"))
    if not folder.is_dir():
        raise SystemExit(
            "Set TRAWL_BENCH_DATA to a folder with the collections cranfield and scifact and a tree of docs"
        )
    return folder


def collection(name: str) -> Collection:
    folder = data_folder() / name
    documents = {row["_id"]: f"{row['title']}\n{row['text']}" for row in _rows(folder / "corpus.jsonl.gz")}
    relevant: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text().splitlines():
        query, document, judged = line.split("\t")
        if judged.isdigit() and int(judged) > 0:
            relevant.setdefault(query, set()).add(document)
    queries = {row["_id"]: row["text"] for row in _rows(folder / "queries.jsonl.gz") if row["_id"] in relevant}
    return Collection(name, documents, queries, relevant)


def documentation() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each Markdown file of the documentation tree that has any."""
    [packed] = data_folder().glob("*.tar.xz")
    with tarfile.open(packed) as tree:
        for member in tree:
            content = tree.extractfile(member) if member.isfile() and member.name.endswith(".md") else None
            if content is not None and (data := content.read()).strip():
                yield member.name, data


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)
