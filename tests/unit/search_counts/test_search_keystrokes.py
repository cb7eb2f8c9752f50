"""Which searches count of a caller who types: the last one of those that follow each other quickly."""

from indexer.tenancy import TeamId
from mcp_server.search_counts.keystrokes import Keystrokes, Search

RED, BLUE = TeamId("red"), TeamId("blue")
LATE = 1_000.0


def search(text: str, at: float = 0.0, *, team: TeamId = RED, credential: str = "t_1", found: bool = True) -> Search:
    return Search(team, credential, at, text, found)


def counted(*searches: Search) -> list[str]:
    """Return the searches that count in the end, in the order in which they began."""
    keystrokes = Keystrokes()
    given = [keystrokes.add(each) for each in searches]
    ended = [*(each for each in given if each is not None), *keystrokes.settled(LATE)]
    return [each.text for each in sorted(ended, key=lambda each: each.at)]


def typed(text: str, *, start: float = 0.0, pause: float = 0.3) -> list[Search]:
    return [search(text[: length + 1], start + length * pause) for length in range(len(text))]


def test_of_a_word_that_is_typed_only_the_whole_word_counts() -> None:
    assert counted(*typed("sonar")) == ["sonar"]


def test_letters_that_are_deleted_again_are_part_of_it() -> None:
    assert counted(search("sonar x", 0), search("sonar", 1), search("sonar image", 2)) == ["sonar image"]


def test_after_a_pause_it_is_another_search() -> None:
    assert counted(search("sonar", 0), search("sonar image", 2.1)) == ["sonar", "sonar image"]
    assert counted(search("sonar", 0), search("sonar", 2)) == ["sonar"]
    assert counted(search("sonar", 0), search("sonar", 2.1)) == ["sonar", "sonar"]


def test_other_words_are_another_search() -> None:
    assert counted(search("sonar", 0), search("coral", 0.1), search("cor", 0.2)) == ["sonar", "cor"]


def test_the_later_search_counts_also_if_the_earlier_one_ends_last() -> None:
    assert counted(search("sonar", 1, found=False), search("sona", 0.5)) == ["sonar"]


def test_callers_do_not_continue_each_others_searches() -> None:
    others = [search("sonar", 0.1, credential="t_2"), search("sonar", 0.2, team=BLUE)]
    assert counted(search("son"), *others) == ["son", "sonar", "sonar"]


def test_two_who_share_a_credential_and_type_at_once_are_told_apart() -> None:
    woven = [each for pair in zip(typed("sonar"), typed("coral", start=0.1), strict=True) for each in pair]
    assert counted(*woven) == ["sonar", "coral"]


def test_a_search_is_held_while_another_one_may_still_continue_it() -> None:
    keystrokes = Keystrokes()
    keystrokes.add(search("sonar", 100))
    assert keystrokes.settled(109.9) == []
    assert [each.text for each in keystrokes.settled(110)] == ["sonar"]
    assert keystrokes.settled(LATE) == []


def test_a_caller_with_very_many_searches_is_held_to_a_bound() -> None:
    keystrokes = Keystrokes()
    given = [keystrokes.add(search(f"{number} reefs", number / 1_000)) for number in range(500)]
    pushed_out = [each.text for each in given if each is not None]
    assert pushed_out == [f"{number} reefs" for number in range(492)]
    assert len(keystrokes.settled(LATE)) == 8
