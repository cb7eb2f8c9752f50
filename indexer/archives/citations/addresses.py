"""URLs and relative links in comparable forms: as exact as possible, and loosened."""

import re
from functools import lru_cache
from posixpath import normpath
from typing import Final
from unicodedata import normalize
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

_PORTS: Final = {"http": 80, "https": 443}
_TRACKING: Final = re.compile(r"utm_.*|ref|fbclid|gclid|msclkid|mc_cid|mc_eid", re.IGNORECASE)
_DOI_HOSTS: Final = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
_ARXIV_HOSTS: Final = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
_ARXIV_PATH: Final = re.compile(r"/(?:abs|pdf|html)/(.+?)(?:v[0-9]+)?(?:\.pdf)?/?\Z", re.IGNORECASE)
_SAFE: Final = "/:@!$&'()*+,;=~-._"


@lru_cache(maxsize=1_024)
def exact(url: str) -> str | None:
    """Return a web address in its canonical spelling, or None for anything else."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme not in _PORTS:
            return None
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if not host:
        return None
    host = f"[{host}]" if ":" in host else host
    network = host if port in {None, _PORTS[parts.scheme]} else f"{host}:{port}"
    path = quote(unquote(normalize("NFC", parts.path)), safe=_SAFE) or "/"
    return urlunsplit((parts.scheme, network, path, parts.query, parts.fragment))


def loosened(url: str) -> str | None:
    """Return a web address without scheme, `www`, fragment, tracking parameters and trailing slash."""
    canonical = exact(url)
    if canonical is None:
        return None
    parts = urlsplit(canonical)
    kept = [
        (key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(key)
    ]
    query = f"?{urlencode(kept)}" if kept else ""
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}{query}"


def doi_of(url: str) -> str | None:
    """Return the DOI that a resolver's URL names, in lower case."""
    canonical = exact(url)
    if canonical is None or (parts := urlsplit(canonical)).netloc not in _DOI_HOSTS:
        return None
    doi = unquote(parts.path).strip("/").lower()
    return doi if doi.startswith("10.") and "/" in doi else None


def arxiv_of(url: str) -> str | None:
    """Return the arXiv id that a URL of arXiv names, without its version."""
    canonical = exact(url)
    if canonical is None or (parts := urlsplit(canonical)).netloc not in _ARXIV_HOSTS:
        return None
    found = _ARXIV_PATH.match(parts.path)
    return found[1].lower() if found else None


def beside(path: str, link: str) -> str | None:
    """Return the path that a relative link in the document at `path` points at, or None if it leads out or is none."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return None
    way = unquote(parts.path)
    if parts.scheme or parts.netloc or not way or "\x00" in way:
        return None
    root, _, _ = path.partition("/")
    start = root if way.startswith("/") else path.rpartition("/")[0]
    found = normpath(normalize("NFC", f"{start}/{way.lstrip('/')}"))
    return found if found.startswith(f"{root}/") else None


def joined(base: str, link: str) -> str | None:
    """Return the web address that a relative link on the page at `base` points at."""
    try:
        return exact(urljoin(base, link.strip()))
    except ValueError:
        return None


def quoted(way: str) -> str:
    """Write a file's name as a link would have it."""
    return quote(way, safe="/")
