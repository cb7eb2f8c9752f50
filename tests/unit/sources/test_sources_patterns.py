import pytest

from indexer.errors import Invalid
from workers.sources.patterns import Selection


def takes(selection: Selection, path: str) -> bool:
    """Say whether a file is read, as a listing finds out from the top down."""
    parts = path.split("/")
    included = False
    for depth in range(1, len(parts) + 1):
        is_folder = depth < len(parts)
        if selection.excluded_by(parts[:depth], is_folder=is_folder):
            return False
        included = included or selection.includes(parts[:depth], is_folder=is_folder)
    return included


def fits(pattern: str, path: str) -> bool:
    return takes(Selection.read([pattern], None), path)


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
    assert takes(selection, "a.md")
    assert takes(selection, "papers/b.pdf")
    assert not takes(selection, "b.pdf")
    assert not takes(selection, "drafts/a.md")


@pytest.mark.parametrize("include", [None, []])
def test_no_pattern_included_means_everything(include: list[str] | None) -> None:
    assert takes(Selection.read(include, None), "any/thing")


def test_an_excluded_folder_need_not_be_entered_and_the_pattern_is_named() -> None:
    selection = Selection.read(None, ["build/", "*.tmp"])
    assert selection.excluded_by(("build",), is_folder=True) == "build/"
    assert selection.excluded_by(("deep", "build"), is_folder=True) == "build/"
    assert selection.excluded_by(("a.tmp",), is_folder=False) == "*.tmp"
    assert selection.excluded_by(("src",), is_folder=True) is None
    assert selection.excluded_by(("build",), is_folder=False) is None, "a file of that name is no folder"


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("build/**", "build"),
        ("build/*.md", "build"),
        ("/build/", "build"),
        ("a/build/c.md", "a"),
        ("a/build/c.md", "a/build"),
        ("a/build/c.md", "a/build/c.md"),
        ("build", "deep/build"),
        ("secret.md", "secret.md"),
    ],
)
def test_an_included_pattern_spells_out_a_path(pattern: str, path: str) -> None:
    assert Selection.read([pattern], None).names(path.split("/"))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "build"),
        ("**/build/*.md", "build"),
        ("build/**", "build/deep"),
        ("build/**", "deep/build"),
        ("bui*", "build"),
        ("a/build/c.md", "build"),
    ],
)
def test_a_wildcard_spells_out_nothing(pattern: str, path: str) -> None:
    assert not Selection.read([pattern], None).names(path.split("/"))


@pytest.mark.parametrize("pattern", ["a\\", "[[:letter:]]", "[ab", "/"])
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
