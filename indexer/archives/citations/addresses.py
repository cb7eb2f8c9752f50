"""Normalizes URLs, in an exact and in a loose form, and resolves relative links."""

import re
from functools import lru_cache
from posixpath import normpath
from typing import Final
from unicodedata import normalize
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_TRACKING_PARAMETER: Final = re.compile(r"utm_.*|ref|fbclid|gclid|msclkid|mc_cid|mc_eid", re.IGNORECASE)
_DOI_HOSTS: Final = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
_ARXIV_HOSTS: Final = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
_ARXIV_PATH: Final = re.compile(r"/(?:abs|pdf|html)/(.+?)(?:v[0-9]+)?(?:\.pdf)?/?\Z", re.IGNORECASE)
_UNQUOTED: Final = "/:@!$&'()*+,;=~-._"


@lru_cache(maxsize=1_024)
def exact(url: str) -> str | None:
    """Return an HTTP URL in its canonical form; None for anything else."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme not in _DEFAULT_PORTS:
            return None
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if not host:
        return None
    host = f"[{host}]" if ":" in host else host
    network = host if port in {None, _DEFAULT_PORTS[parts.scheme]} else f"{host}:{port}"
    path = quote(unquote(normalize("NFC", parts.path)), safe=_UNQUOTED) or "/"
    return urlunsplit((parts.scheme, network, path, parts.query, parts.fragment))


def loose(url: str) -> str | None:
    """Return an HTTP URL without scheme, `www`, fragment, tracking parameters and trailing slash."""
    canonical = exact(url)
    if canonical is None:
        return None
    parts = urlsplit(canonical)
    kept = [
        (key, value)
        for key, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING_PARAMETER.fullmatch(key)
    ]
    query = f"?{urlencode(kept)}" if kept else ""
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}{query}"


def doi_of(url: str) -> str | None:
    """Return the DOI of a URL of a DOI resolver, in lower case."""
    canonical = exact(url)
    if canonical is None or (parts := urlsplit(canonical)).netloc not in _DOI_HOSTS:
        return None
    doi = unquote(parts.path).strip("/").lower()
    return doi if doi.startswith("10.") and "/" in doi else None


def arxiv_of(url: str) -> str | None:
    """Return the arXiv ID of a URL of arXiv, without its version."""
    canonical = exact(url)
    if canonical is None or (parts := urlsplit(canonical)).netloc not in _ARXIV_HOSTS:
        return None
    match = _ARXIV_PATH.match(parts.path)
    return match[1].lower() if match else None


def resolve_path(path: str, link: str) -> str | None:
    """Resolve a relative link in the document at `path`; None if it is not relative or leaves the ingested folder."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return None
    target = unquote(parts.path)
    if parts.scheme or parts.netloc or not target or "\x00" in target:
        return None
    root, _, _ = path.partition("/")
    folder = root if target.startswith("/") else path.rpartition("/")[0]
    resolved = normpath(normalize("NFC", f"{folder}/{target.lstrip('/')}"))
    return resolved if resolved.startswith(f"{root}/") else None


def resolve_url(base: str, link: str) -> str | None:
    """Resolve a relative link on the page at `base`."""
    try:
        return exact(urljoin(base, link.strip()))
    except ValueError:
        return None


def quote_path(path: str) -> str:
    """Percent-encode a path for a link."""
    return quote(path, safe="/")
