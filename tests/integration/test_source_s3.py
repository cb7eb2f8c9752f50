from typing import TYPE_CHECKING

import pytest

from indexer.archives.ids import file_id
from indexer.errors import NotConfigured, NotFound, Unavailable
from workers.sources.interface import Entry, FailedFile, Item
from workers.sources.s3 import S3Objects
from workers.sources.s3_client import open_client
from workers.sources.skipped import SkippedFile

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client

LIMIT = 1_000


@pytest.fixture
def s3(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> "S3Client":
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "made-up")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-secret-canary")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3_endpoint)
    return open_client(None)


def test_readable_objects_below_a_prefix_are_listed_and_read(s3: "S3Client") -> None:
    s3.create_bucket(Bucket="papers")
    hidden = ("2025/.hidden/d.md", "2025/.hidden/deep/e.md", "2025/.hidden2/f.md", "2025/.g.md")
    for key in ("2025/b.md", "2025/a.txt", "2025/c.png", *hidden, "2025/", "other/e.md"):
        s3.put_object(Bucket="papers", Key=key, Body=key.encode())
    source = S3Objects("papers", "2025/", LIMIT, open_client(None))
    assert list(source.list()) == [
        SkippedFile("papers/2025/.g.md", "hidden"),
        SkippedFile("papers/2025/.hidden/", "hidden"),
        SkippedFile("papers/2025/.hidden2/", "hidden"),
        Entry("papers/2025/a.txt", "2025/a.txt", 10),
        Entry("papers/2025/b.md", "2025/b.md", 9),
        SkippedFile("papers/2025/c.png", "no reader for this kind", ".png"),
    ]
    item = source.read(Entry("papers/2025/b.md", "2025/b.md", 9))
    date = s3.head_object(Bucket="papers", Key="2025/b.md")["LastModified"].date().isoformat()
    assert item == Item(b"2025/b.md", "b.md", file_id("papers/2025/b.md"), "research", "s3:papers", None, date)
    assert source.origin == "s3:papers"
    assert source.remote


def test_long_lists_come_in_pages(s3: "S3Client", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "3")
    s3.create_bucket(Bucket="long-list")
    for number in range(8):
        s3.put_object(Bucket="long-list", Key=f"{number}.md", Body=b"x")
    assert s3.list_objects_v2(Bucket="long-list")["IsTruncated"]
    assert len(list(S3Objects("long-list", "", LIMIT, open_client(None)).list())) == 8


def test_a_dated_key_gives_the_date(s3: "S3Client") -> None:
    s3.create_bucket(Bucket="dated")
    s3.put_object(Bucket="dated", Key="2025-05-20/a.md", Body=b"x")
    source = S3Objects("dated", "", LIMIT, open_client(None))
    [entry] = source.list()
    assert isinstance(entry, Entry)
    assert isinstance(item := source.read(entry), Item)
    assert item.fallback_date == "2025-05-20"


def test_large_and_vanished_objects_and_odd_keys_are_refused(s3: "S3Client") -> None:
    s3.create_bucket(Bucket="odd")
    s3.put_object(Bucket="odd", Key="big.md", Body=bytes(LIMIT + 1))
    s3.put_object(Bucket="odd", Key="a\x07b.md", Body=b"x")
    source = S3Objects("odd", "", LIMIT, open_client(None))
    assert list(source.list()) == [
        FailedFile("odd/a\ufffdb.md", "has a name with control characters"),
        FailedFile("odd/big.md", "is larger than 0.001 MB"),
    ]
    assert source.read(Entry("odd/big.md", "big.md", 1)) == FailedFile("odd/big.md", "is larger than 0.001 MB")
    assert source.read(Entry("odd/gone.md", "gone.md", 1)) == FailedFile("odd/gone.md", "is gone")


def test_a_bucket_that_does_not_exist_is_said(s3: "S3Client") -> None:
    with pytest.raises(NotFound, match="does not exist"):
        list(S3Objects("no-such-bucket", "", LIMIT, s3).list())


def test_missing_credentials_are_said_with_what_to_do(
    s3: "S3Client", monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    s3.create_bucket(Bucket="without-keys")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", f"{tmp_path}/none")
    monkeypatch.setenv("AWS_CONFIG_FILE", f"{tmp_path}/none")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NotConfigured) as caught:
        list(S3Objects("without-keys", "", LIMIT, open_client(None)).list())
    assert "AWS_ACCESS_KEY_ID" in caught.value.action


def test_a_service_that_does_not_answer_is_unavailable_and_no_secret_is_told(
    s3: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.create_bucket(Bucket="silent")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    source = S3Objects("silent", "", LIMIT, open_client(None))
    with pytest.raises(Unavailable) as caught:
        list(source.list())
    assert "canary" not in str(caught.value.failure())
    assert source.read(Entry("silent/a.md", "a.md", 1)) == FailedFile("silent/a.md", "could not be read from S3")
