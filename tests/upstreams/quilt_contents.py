"""What a Quilt catalog holds in tests, and what a search of it must find, worked out without any engine."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from app.sandbox.quilt import contents
from app.sandbox.quilt.contents import Entry, QuiltObject, QuiltPackage, Revision

ALPHA, BETA, GAMMA = "alpha-data", "beta.lab", "gamma-archive"
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
_FISH = ("salmon", "trout", "pike", "perch")
_AUTHORS = ("Smith", "Jones", "Öberg")
_FORMS = ("data/f{}.csv", "notes/day {}.md", "plots/run_{}/image.PNG", "raw/f{}.fastq.gz")


@dataclass(frozen=True, slots=True)
class QuiltContents(contents.QuiltContents):
    def objects_with(self, *words: str, buckets: Iterable[str] | None = None) -> list[QuiltObject]:
        """Return living objects that have one of the words; all of them where no word is given."""
        return [
            each
            for each in self.objects
            if not each.deleted and _in(each.bucket, buckets) and _has(words, each.key, each.content)
        ]

    def packages_with(self, *words: str, buckets: Iterable[str] | None = None) -> list[QuiltPackage]:
        """Return packages whose newest revision has one of the words; all of them where no word is given."""
        return [
            each
            for each in self.packages
            if _in(each.bucket, buckets)
            and _has(words, each.name, each.latest.message, json.dumps(each.latest.meta, ensure_ascii=False))
        ]


def _in(bucket: str, buckets: Iterable[str] | None) -> bool:
    return buckets is None or bucket in buckets


def _has(words: tuple[str, ...], *texts: str) -> bool:
    tokens = {token for text in texts for token in re.findall(r"[^\W_]+", text.lower())}
    return not words or any(word.lower() in tokens for word in words)


def sample_contents() -> QuiltContents:
    """Return three buckets with 69 objects (two of them deleted) and 33 packages, always the same."""
    objects, packages = [], []
    for place, bucket in enumerate((ALPHA, BETA, GAMMA)):
        for number in range(22):
            modified = EPOCH + timedelta(days=number, hours=place)
            key = _FORMS[number % len(_FORMS)].format(number)
            content = f"Catch {number} of {_FISH[number % 4]} in {bucket}"
            version = "null" if bucket == GAMMA else f"v{place}.{number}"
            objects.append(QuiltObject(bucket, key, version, 100 * number + place, modified, content))
        packages += [_package(bucket, place, number) for number in range(11)]
    deleted = EPOCH + timedelta(days=90)
    objects += [
        QuiltObject(ALPHA, "data/withdrawn.csv", "v9.1", 0, deleted, deleted=True),
        QuiltObject(BETA, "data/withdrawn salmon.csv", "v9.2", 0, deleted, deleted=True),
        QuiltObject(ALPHA, "odd/\u202eevil\u200b & <b>?#+.txt", "v9.3", 5, deleted, "An odd\u202e name\u200b"),
    ]
    strays = (f"{ALPHA}/data/stray.csv",)
    return QuiltContents((ALPHA, BETA, GAMMA), tuple(objects), tuple(packages), strays)


def _package(bucket: str, place: int, number: int) -> QuiltPackage:
    revisions = []
    for turn in range(1 + number % 3):
        modified = EPOCH + timedelta(days=30 + number, hours=6 * turn, minutes=place)
        meta = {
            "author": _AUTHORS[number % 3],
            "year": 2018 + number,
            "depth": number + 0.5,
            "reviewed": number % 2 == 0,
            "collected": f"2021-05-{number + 1:02}",
            "study": {"phase/of": f"phase-{number % 4}"},
            "tags": ["river", _FISH[number % 4]],
        }
        message = f"Catches of {_FISH[(number + 1) % 4]}, revision {turn + 1}"
        if turn < number % 3:
            message += " superseded"
        entries = tuple(
            Entry(f"files/{name}.csv", f"s3://{bucket}/data/f{number}.csv?versionId=v{place}.{number}", 1_000 * number)
            for name in ("one", "two")
        )
        revisions.append(Revision(modified, message, meta, entries))
    return QuiltPackage(bucket, f"team{place}/set-{number}", tuple(revisions))
