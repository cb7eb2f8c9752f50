import pytest

from indexer.text.edit_distance import edits_between


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("boat", "boat", 0),
        ("boat", "boats", 1),
        ("boat", "oat", 1),
        ("boat", "goat", 1),
        ("boat", "baot", 1),
        ("lighthouse", "lihgthuose", 2),
        ("harbour", "harbors", 2),
        ("boat", "taob", None),
        ("ab", "", 2),
        ("", "", 0),
        ("abcdef", "abc", None),
        ("naïve", "naive", 1),
    ],
)
def test_edits_are_counted_up_to_a_bound(one: str, other: str, expected: int | None) -> None:
    assert edits_between(one, other, 2) == expected
    assert edits_between(other, one, 2) == expected


def test_more_edits_than_asked_for_are_none() -> None:
    assert edits_between("boat", "goats", 1) is None
    assert edits_between("boat", "goats", 2) == 2
