"""The service with a certificate of its own, and with a port for the metrics."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from app.cli.pinned_tls import pinned_context
from tests.service import Service, run_service, trawl, wait_until


def issue_certificate(authority: trustme.CA, folder: Path) -> None:
    """Write a certificate for a public name, which is not the address that commands of this machine use."""
    issued = authority.issue_cert("search.example.org")
    (folder / "key.pem").write_bytes(issued.private_key_pem.bytes())
    (folder / "key.pem").chmod(0o600)
    (folder / "cert.pem").write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("certificate")
    issue_certificate(authority, folder)
    return {
        "TRAWL_TLS_CERT": str(folder / "cert.pem"),
        "TRAWL_TLS_KEY": str(folder / "key.pem"),
        "TRAWL_PUBLIC_URL": "https://search.example.org",
        "TRAWL_METRICS_PORT": "0",
        "TRAWL_CLIENT_TIMEOUT": "1",
    }


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, str]) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("service"), env=settings) as service:
        yield service


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def ask(service: Service, authority: trustme.CA, path: str) -> httpx.Response:
    """Ask as a client does that reaches the public name, wherever that leads."""
    with httpx.Client(verify=trusting(authority), trust_env=False) as client:
        return client.get(
            service.url + path,
            headers={"host": "search.example.org"},
            extensions={"sni_hostname": "search.example.org"},
        )


def test_clients_that_trust_the_authority_are_served(service: Service, authority: trustme.CA) -> None:
    assert service.url.startswith("https://")
    assert ask(service, authority, "/livez").status_code == 200
    # A public name needs tokens by itself.
    refused = ask(service, authority, "/api/v1/status")
    assert refused.status_code == 401
    assert 'resource_metadata="https://search.example.org/' in refused.headers["www-authenticate"]


def test_without_tls_there_is_no_answer(service: Service) -> None:
    with pytest.raises(httpx.HTTPError):
        httpx.get(service.url.replace("https://", "http://") + "/livez", trust_env=False)


@pytest.mark.parametrize("first", [b"", b"\x16\x03\x01"])
def test_a_handshake_that_does_not_go_on_is_ended(service: Service, authority: trustme.CA, first: bytes) -> None:
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=20) as silent:
        silent.sendall(first)
        assert ask(service, authority, "/livez").status_code == 200
        assert silent.recv(1) == b""


def test_a_request_that_does_not_go_on_is_ended_with_what_to_do(service: Service, authority: trustme.CA) -> None:
    address = urlsplit(service.url)
    context = trusting(authority)
    with (
        socket.create_connection((address.hostname or "", address.port or 0), timeout=20) as plain,
        context.wrap_socket(plain, server_hostname="search.example.org") as slow,
    ):
        slow.sendall(b"GET /livez HTTP/1.1\r\n")
        assert slow.recv(100).startswith(b"HTTP/1.1 408 ")


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_versions_of_tls_are_refused(service: Service, authority: trustme.CA) -> None:
    context = trusting(authority)
    context.check_hostname = False
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with httpx.Client(verify=context, trust_env=False) as client, pytest.raises(httpx.ConnectError):
        client.get(service.url + "/livez")


def test_commands_of_this_machine_trust_the_certificate_of_the_service_alone(
    service: Service, settings: dict[str, str], authority: trustme.CA, tmp_path: Path
) -> None:
    document = tmp_path / "note.md"
    document.write_text("# Otters\n\nOtters hold hands.\n")
    sent = trawl("ingest", str(document), "--wait", folder=service.folder, env=settings)
    assert sent.returncode == 0, sent.stderr
    found = trawl("search", "otters", folder=service.folder, env=settings)
    assert "Otters" in found.stdout, found.stderr
    assert f"runs at {service.url}" in trawl("doctor", folder=service.folder, env=settings).stdout
    pinned = httpx.get(f"{service.url}/livez", verify=pinned_context(Path(settings["TRAWL_TLS_CERT"])), trust_env=False)
    assert pinned.status_code == 200
    # Another certificate of the same authority is somebody else's.
    issue_certificate(authority, tmp_path)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{service.url}/livez", verify=pinned_context(tmp_path / "cert.pem"), trust_env=False)


def test_a_renewed_certificate_is_used_without_a_restart(
    service: Service, settings: dict[str, str], authority: trustme.CA
) -> None:
    folder = Path(settings["TRAWL_TLS_CERT"]).parent
    renewed_by = trustme.CA()
    issue_certificate(renewed_by, folder)

    def is_renewed() -> bool:
        try:
            return ask(service, renewed_by, "/livez").status_code == 200
        except httpx.ConnectError:
            return False

    wait_until(is_renewed, "the renewed certificate is in use")
    # Half a renewal, a certificate without its key, changes nothing.
    other = authority.issue_cert("search.example.org")
    (folder / "cert.pem").write_bytes(other.cert_chain_pems[0].bytes())
    wait_until(lambda: "stays in use" in service.log.read_text(), "the service tells what is wrong")
    assert is_renewed()
    issue_certificate(authority, folder)
    wait_until(lambda: ask_or_none(service, authority), "the first authority is in use again")


def ask_or_none(service: Service, authority: trustme.CA) -> httpx.Response | None:
    try:
        return ask(service, authority, "/livez")
    except httpx.ConnectError:
        return None


def test_the_port_of_the_metrics_serves_them_without_a_token_and_nothing_else(
    service: Service, authority: trustme.CA
) -> None:
    assert ask(service, authority, "/metrics").status_code == 401
    port = metrics_port(service)
    metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False)
    assert metrics.status_code == 200
    assert "trawl_documents" in metrics.text
    for path in ("/", "/api/v1/status", "/mcp", "/livez"):
        assert httpx.get(f"http://127.0.0.1:{port}{path}", trust_env=False).status_code == 404


def metrics_port(service: Service) -> int:
    """Find the other port on which the process listens."""
    inodes = {
        link.readlink().name.removeprefix("socket:[").removesuffix("]")
        for link in Path(f"/proc/{service.process.pid}/fd").iterdir()
        if link.readlink().name.startswith("socket:[")
    }
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ports = {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes}
    (port,) = ports - {int(service.url.rpartition(":")[2])}
    return port


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"TRAWL_TLS_CERT": "cert.pem"}, "are set together or not at all"),
        ({"TRAWL_TLS_CERT": "cert.pem", "TRAWL_TLS_KEY": "cert.pem"}, "are not a certificate and its key"),
        ({"TRAWL_TLS_CERT": "none.pem", "TRAWL_TLS_KEY": "key.pem"}, "TRAWL_TLS_CERT"),
        ({"TRAWL_TRUSTED_PROXIES": "*"}, "like 10.0.0.7 or 10.0.0.0/24"),
    ],
)
def test_wrong_settings_are_refused_at_the_start(
    tmp_path: Path, authority: trustme.CA, given: dict[str, str], message: str
) -> None:
    issue_certificate(authority, tmp_path)
    refused = trawl("serve", folder=tmp_path, env={"TRAWL_PORT": "0", **given})
    assert refused.returncode != 0
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
