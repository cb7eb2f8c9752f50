import pytest

from workers.sources.web.robots import Robots

FILE = b"""
# a comment
User-agent: other
Disallow: /

User-agent: Trawl/2.0
User-agent: friend
Disallow: /private/   # all of it
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search?q=
Crawl-delay: 10

User-agent: *
Disallow: /

User-agent: trawl
Disallow: /more
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("", True),
        ("/private/a", False),
        ("/private/open/a", True),
        ("/%70rivate/a", False),
        ("/paper.pdf", False),
        ("/paper.pdf.html", True),
        ("/search?q=x", False),
        ("/search", True),
        ("/more", False),
    ],
)
def test_our_groups_count_together_and_the_longest_rule_wins(path: str, allowed: bool) -> None:
    assert Robots(FILE).allow(f"https://example.org{path}", "Trawl") is allowed


def test_the_group_for_everybody_counts_where_none_is_ours() -> None:
    assert not Robots(FILE).allow("https://example.org/a", "Somebody")


@pytest.mark.parametrize(
    "body",
    [b"", b"nonsense", b"Disallow: /", b"User-agent: *\nDisallow:", b"\xff\xfe\x00", b"User-agent: x\nDisallow: /"],
)
def test_what_forbids_nothing_to_us_allows_everything(body: bytes) -> None:
    assert Robots(body).allow("https://example.org/a", "Trawl")


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/a", "/abc", True),
        ("/a$", "/abc", False),
        ("/a$", "/a", True),
        ("/*c", "/abc", True),
        ("/*b$", "/abb", True),
        ("/*b$", "/abc", False),
        ("/a*a$", "/a", False),
        ("*", "/", True),
        ("/a*b*c", "/a1b2c3", True),
        ("/a*b*c", "/a1c2b3", False),
    ],
)
def test_stars_and_dollars_in_rules(pattern: str, path: str, fits: bool) -> None:
    robots = Robots(f"User-agent: *\nDisallow: {pattern}".encode())
    assert robots.allow(f"http://example.org{path}", "Trawl") is not fits


def test_of_equal_rules_the_one_that_allows_wins() -> None:
    assert Robots(b"User-agent: *\nDisallow: /a\nAllow: /a").allow("http://example.org/a", "Trawl")


def test_a_rule_made_to_be_slow_is_answered_all_the_same() -> None:
    robots = Robots(b"User-agent: *\nDisallow: /" + b"*a" * 20_000 + b"b$")
    assert robots.allow("http://example.org/" + "a" * 4_000, "Trawl")
