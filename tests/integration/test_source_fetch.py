import gzip
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.integration.source_site import Page, Site, bomb, serving
from workers.sources.web.fetch import Fetcher, Unreachable
from workers.sources.web.guard import Guard, Unfetchable

LIMIT = 100_000
resolve = socket.getaddrinfo


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as served:
        yield served


@pytest.fixture
def fetcher() -> Fetcher:
    return Fetcher(Guard.allowing(["127.0.0.1"]), seconds=60)


def refusal(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(Unfetchable) as caught:
        fetcher.get(url, LIMIT)
    return caught.value.reason


def named(monkeypatch: pytest.MonkeyPatch, host: str, *addresses: str) -> list[str]:
    """Resolve a made-up host to one address after the other, and the last one for ever; return the questions."""
    asked: list[str] = []

    def answer(name: str, port: int, *rest: Any, **more: Any) -> Any:
        if name != host:
            return resolve(name, port, *rest, **more)
        asked.append(name)
        return resolve(addresses[min(len(asked), len(addresses)) - 1], port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return asked


def test_a_page_is_fetched_without_cookies_or_credentials(
    site: Site, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    site.pages["/a?b=c"] = Page(b"<p>Hello", headers={"Set-Cookie": "a=b"})
    fetched = fetcher.get(f"{site.address}/a?b=c#d", LIMIT)
    assert (fetched.status, fetched.body, fetched.headers["content-type"]) == (
        200,
        b"<p>Hello",
        "text/html; charset=utf-8",
    )
    fetcher.get(f"{site.address}/a?b=c", LIMIT)
    assert site.paths == ["/a?b=c", "/a?b=c"]
    for _, headers in site.asked:
        assert headers["User-Agent"].startswith("Trawl/")
        assert headers["Host"] == site.address.removeprefix("http://")
        assert not {"Cookie", "Authorization", "Referer"} & set(headers)


def test_loopback_is_refused_unless_it_is_allowed(site: Site) -> None:
    assert "public Internet" in refusal(Fetcher(Guard(), seconds=60), f"{site.address}/")
    assert site.asked == []


def test_redirects_are_followed_and_each_one_checked(site: Site, fetcher: Fetcher) -> None:
    site.pages["/old"] = Page(status=301, headers={"Location": "new?x=1"})
    site.pages["/new?x=1"] = Page(b"new")
    assert fetcher.get(f"{site.address}/old", LIMIT).body == b"new"


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/",
        "http://2130706434/",
        "http://0x7f.2/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.2]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "//10.0.0.1/",
        "http://localhost.:22/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1/",
        "javascript:alert(1)",
        "http://user:secret@127.0.0.1/",
        "http://[",
    ],
)
@pytest.mark.parametrize("status", [302, 307])
def test_a_redirect_to_a_forbidden_place_is_refused(site: Site, fetcher: Fetcher, target: str, status: int) -> None:
    site.pages["/old"] = Page(status=status, headers={"Location": target})
    reason = refusal(fetcher, f"{site.address}/old")
    assert site.paths == ["/old"]
    assert target not in reason


def test_a_second_server_on_another_loopback_address_stays_out_of_reach(site: Site, fetcher: Fetcher) -> None:
    with serving("127.0.0.2") as secret:
        secret.pages["/"] = Page(b"secret")
        site.pages["/old"] = Page(status=302, headers={"Location": f"{secret.address}/"})
        assert "public Internet" in refusal(fetcher, f"{site.address}/old")
        assert secret.asked == []


def test_redirects_end_after_five(site: Site, fetcher: Fetcher) -> None:
    for number in range(7):
        site.pages[f"/{number}"] = Page(status=302, headers={"Location": f"/{number + 1}"})
    site.pages["/7"] = Page(b"the end")
    assert "redirects more than 5 times" in refusal(fetcher, f"{site.address}/1")
    assert fetcher.get(f"{site.address}/2", LIMIT).body == b"the end"


def test_the_address_that_was_checked_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = named(monkeypatch, "rebinding.example", "93.184.216.34", "127.0.0.1")
    connected: list[str] = []

    def refuse(address: tuple[str, int], *_: object, **__: object) -> None:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(Unreachable):
        Fetcher(Guard(), seconds=60).get("http://rebinding.example/", LIMIT)
    assert connected == ["93.184.216.34"]
    assert asked == ["rebinding.example"]


def test_a_name_that_later_means_another_server_is_refused_then(
    site: Site, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    named(monkeypatch, "rebinding.example", "127.0.0.1", "127.0.0.2")
    url = site.address.replace("127.0.0.1", "rebinding.example")
    site.pages["/"] = Page(b"first")
    assert fetcher.get(f"{url}/", LIMIT).body == b"first"
    assert site.asked[0][1]["Host"].startswith("rebinding.example:")
    assert "public Internet" in refusal(fetcher, f"{url}/")


def test_packed_pages_are_unpacked(site: Site, fetcher: Fetcher) -> None:
    site.pages["/"] = Page(gzip.compress(b"text" * 1_000), headers={"Content-Encoding": "gzip"})
    assert fetcher.get(f"{site.address}/", LIMIT).body == b"text" * 1_000


@pytest.mark.parametrize(
    "page",
    [
        Page(bytes(LIMIT + 1)),
        Page(endless=bytes(10_000)),
        Page(headers={"Content-Length": str(10**12)}, endless=bytes(10_000)),
        bomb(50_000_000),
    ],
)
def test_large_pages_are_refused_while_they_come(site: Site, fetcher: Fetcher, page: Page) -> None:
    site.pages["/"] = page
    assert refusal(fetcher, f"{site.address}/") == "is larger than 0.1 MB"


@pytest.mark.parametrize(
    "page",
    [
        Page(gzip.compress(gzip.compress(b"x")), headers={"Content-Encoding": "gzip, gzip"}),
        Page(b"x", headers={"Content-Encoding": "br"}),
        Page(b"no gzip", headers={"Content-Encoding": "gzip"}),
        Page(gzip.compress(b"text" * 100)[:-12], headers={"Content-Encoding": "gzip"}),
        Page(b"x", headers={"Content-Length": "9" * 5_000}),
        Page(headers={f"X-{number}": "x" * 1_000 for number in range(200)}),
    ],
)
def test_damaged_and_odd_answers_are_refused(site: Site, fetcher: Fetcher, page: Page) -> None:
    site.pages["/"] = page
    assert refusal(fetcher, f"{site.address}/")


@pytest.mark.parametrize("page", [Page(endless=b"x"), Page(silent=True)])
def test_slow_answers_end_with_the_time_allowed(site: Site, page: Page) -> None:
    site.pages["/"] = page
    with pytest.raises(Unreachable, match="took longer than"):
        Fetcher(Guard.allowing(["127.0.0.1"]), seconds=0.5).get(f"{site.address}/", LIMIT)


def test_a_host_where_nobody_listens_is_unreachable(fetcher: Fetcher) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(Unreachable):
            fetcher.get(f"http://127.0.0.1:{taken.getsockname()[1]}/", LIMIT)


def certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(subject, subject, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = folder / "site.pem"
    file.write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()) + signed.public_bytes(pem))
    return file


def test_certificates_are_checked_for_the_name_though_an_address_is_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = certificate(tmp_path, "page.example")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    guard = Guard.allowing(["127.0.0.1"])
    trusting = Fetcher(guard, 60, ssl.create_default_context(cafile=file))
    with serving(context=server) as site:
        site.pages["/"] = Page(b"safe")
        named(monkeypatch, "page.example", "127.0.0.1")
        url = site.address.replace("127.0.0.1", "page.example")
        assert trusting.get(f"{url}/", LIMIT).body == b"safe"
        assert "secure" in refusal(trusting, f"{site.address}/")
        assert "secure" in refusal(Fetcher(guard, 60), f"{url}/")
