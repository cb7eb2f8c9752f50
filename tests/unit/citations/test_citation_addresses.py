import pytest

from indexer.archives.citations import addresses


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("https://Example.COM", "https://example.com/"),
        ("HTTP://example.com:80/a", "http://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("https://example.com/a%7Eb c?q=1#top", "https://example.com/a~b%20c?q=1#top"),
        ("  https://example.com/é ", "https://example.com/%C3%A9"),
        ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("ftp://example.com/a", None),
        ("mailto:somebody", None),
        ("notes/file.md", None),
        ("https://[broken", None),
        ("https://example.com:port/", None),
    ],
)
def test_a_web_address_has_one_canonical_spelling(given: str, canonical: str | None) -> None:
    assert addresses.exact(given) == canonical


@pytest.mark.parametrize(
    "variant",
    [
        "http://example.com/a?id=7",
        "https://www.example.com/a/?id=7",
        "https://example.com/a?utm_source=x&id=7&gclid=1",
        "https://example.com/a?id=7&ref=y#part",
    ],
)
def test_variants_of_an_address_are_the_same_when_loosened(variant: str) -> None:
    assert addresses.loose(variant) == "example.com/a?id=7"


def test_other_parameters_still_tell_addresses_apart() -> None:
    assert addresses.loose("https://example.com/a?id=7") != addresses.loose("https://example.com/a?id=8")


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://doi.org/10.1000/ABC", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/a%2Fb", "10.1000/a/b"),
        ("https://doi.org/about", None),
        ("https://example.com/10.1000/abc", None),
    ],
)
def test_a_resolvers_url_names_a_doi(url: str, doi: str | None) -> None:
    assert addresses.doi_of(url) == doi


@pytest.mark.parametrize(
    ("url", "identifier"),
    [
        ("https://arxiv.org/abs/2101.00001v3", "2101.00001"),
        ("https://arxiv.org/pdf/2101.00001v3.pdf", "2101.00001"),
        ("http://www.arxiv.org/abs/math.GT/0309136", "math.gt/0309136"),
        ("https://arxiv.org/list/cs", None),
        ("https://example.com/abs/2101.00001", None),
    ],
)
def test_an_arxiv_url_names_an_id_without_its_version(url: str, identifier: str | None) -> None:
    assert addresses.arxiv_of(url) == identifier


@pytest.mark.parametrize(
    ("link", "found"),
    [
        ("other.md", "root/a/other.md"),
        ("./other.md?x=1#part", "root/a/other.md"),
        ("../b/other%20one.md", "root/b/other one.md"),
        ("/top.md", "root/top.md"),
        ("../../outside.md", None),
        ("#part", None),
        ("https://example.com/a", None),
        ("//example.com/a", None),
        ("", None),
        ("%00", None),
    ],
)
def test_a_relative_link_stays_within_its_root(link: str, found: str | None) -> None:
    assert addresses.resolve_path("root/a/one.md", link) == found


def test_a_link_on_a_page_is_read_from_that_page() -> None:
    assert addresses.resolve_url("https://example.com/a/b", "../c") == "https://example.com/c"
    assert addresses.resolve_url("https://example.com/a/b", "javascript:alert(1)") is None
