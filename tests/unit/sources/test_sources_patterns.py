import pytest

from indexer.errors import Invalid
from workers.sources.patterns import Selection


def fits(pattern: str, path: str) -> bool:
    return Selection.read([pattern], None).takes(tuple(path.split("/")))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/*.md", "a.md"),
        ("**/*.md", "deep/er/a.md"),
        ("*.md", "a.md"),
        ("*.md", "deep/er/a.md"),
        ("/*.md", "a.md"),
        ("docs/*.md", "docs/a.md"),
        ("./docs/*.md", "docs/a.md"),
        ("drafts/**", "drafts/a.md"),
        ("drafts/**", "drafts/deep/er/a.md"),
        ("drafts/", "drafts/a.md"),
        ("drafts", "drafts/a.md"),
        ("drafts", "notes/drafts/a.md"),
        ("docs/**/*.md", "docs/a.md"),
        ("docs/**/*.md", "docs/b/c/a.md"),
        ("**/old/**/x?.txt", "a/old/b/x1.txt"),
        ("a/**/b/**/c.md", "a/b/b/c.md"),
        ("[ab].md", "b.md"),
        ("[!ab].md", "c.md"),
        ("**", "anything/at/all.md"),
        ("*", "anything/at/all.md"),
        ("cafe\u0301/*", "caf\u00e9/a.md"),
        ("a+(b).md", "a+(b).md"),
    ],
)
def test_a_pattern_fits(pattern: str, path: str) -> None:
    assert fits(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/*.md", "deep/a.md"),
        ("docs/*.md", "docs/deep/a.md"),
        ("docs/*.md", "other/docs/a.md"),
        ("drafts/**", "drafts"),
        ("drafts/", "drafts"),
        ("*.md", "a.mdx"),
        ("*.md", "a.MD"),
        ("[!ab].md", "a.md"),
        ("**/old/**/x?.txt", "a/old/b/x12.txt"),
        ("a/**/b/**/c.md", "a/b/d.md"),
        ("a.md", "aXmd"),
        ("docs/a", "docs"),
    ],
)
def test_a_pattern_does_not_fit(pattern: str, path: str) -> None:
    assert not fits(pattern, path)


def test_a_pattern_made_to_be_slow_is_answered_all_the_same() -> None:
    assert not fits("*a" * 200 + "b", "a" * 4_000)
    assert not fits("**/a/" * 100 + "b", "/".join(["a"] * 500))


def test_files_are_taken_if_included_and_not_excluded() -> None:
    selection = Selection.read(["**/*.md", "papers/**"], ["drafts/**"])
    assert selection.takes(("a.md",))
    assert selection.takes(("papers", "b.pdf"))
    assert not selection.takes(("b.pdf",))
    assert not selection.takes(("drafts", "a.md"))


@pytest.mark.parametrize("include", [None, []])
def test_no_pattern_included_means_everything(include: list[str] | None) -> None:
    assert Selection.read(include, None).takes(("any", "thing"))


def test_an_excluded_folder_need_not_be_entered() -> None:
    selection = Selection.read(None, ["build/", "*.tmp"])
    assert selection.excludes_dir(("build",))
    assert selection.excludes_dir(("deep", "build"))
    assert not selection.takes(("build", "a.md"))
    assert not selection.excludes_dir(("src",))
    assert selection.takes(("build",)), "a file of that name is no folder"


def test_a_pattern_names_an_extension_only_letter_by_letter() -> None:
    selection = Selection.read(["**/*.pptx", "slides/**", "*.x*"], None)
    assert selection.names(("a.pptx",), ".pptx")
    assert not selection.names(("slides", "a.png"), ".png")
    assert not selection.names(("a.xls",), ".xls")
    assert not Selection.read(None, None).names(("a.pptx",), ".pptx")


@pytest.mark.parametrize("pattern", ["a\\", "[z-a]", "[[:alpha:]]"])
def test_a_pattern_that_cannot_be_read_is_refused_with_a_way_to_write_it(pattern: str) -> None:
    with pytest.raises(Invalid, match="A pattern cannot be read") as refused:
        Selection.read(None, [pattern])
    assert ".gitignore" in refused.value.action


@pytest.mark.parametrize("name", ["!important.md", "#draft.md"])
def test_signs_that_negate_or_comment_in_a_file_of_patterns_are_plain_here(name: str) -> None:
    assert fits(name, name)
    assert not fits(name, name[1:])


def test_a_name_that_is_no_utf_8_can_be_matched() -> None:
    assert fits("*.md", "caf\udce9.md")
