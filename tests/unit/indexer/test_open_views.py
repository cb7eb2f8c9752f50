from dataclasses import replace
from typing import cast

import pytest

from indexer.engines.port import VIEW_IDLE_SECONDS, Reader, Target
from indexer.local.definition import LOCAL
from indexer.open_views import CallerKey, OpenViews, caller_key
from indexer.tenancy import PhysicalName, Principal, TeamId

TARGET = Target(PhysicalName("trawl.main.one.1"), LOCAL)
ANN, BOB, EVE = CallerKey("main", "ann"), CallerKey("main", "bob"), CallerKey("main", "eve")


class Opener:
    """The part of a reader that opens and closes views; they are named by number."""

    def __init__(self) -> None:
        self.opened = 0
        self.closed: list[str] = []

    async def open_view(self, _target: Target) -> str:
        self.opened += 1
        return str(self.opened)

    async def close_view(self, view: str) -> None:
        self.closed.append(view)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def reader() -> Opener:
    return Opener()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def views(reader: Opener, clock: Clock) -> OpenViews:
    return OpenViews(cast("Reader", reader), max_of_caller=3, max_views=5, clock=clock)


async def test_a_caller_beyond_its_limit_loses_the_view_that_it_used_least_recently(
    views: OpenViews, reader: Opener
) -> None:
    first = await views.open(ANN, TARGET)
    others = [await views.open(ANN, TARGET) for _ in range(2)]
    await views.note_use(ANN, first)
    await views.open(ANN, TARGET)
    assert reader.closed == others[:1]


async def test_the_total_limit_takes_from_the_caller_with_the_most(views: OpenViews, reader: Opener) -> None:
    bobs = await views.open(BOB, TARGET)
    anns = [await views.open(ANN, TARGET) for _ in range(3)]
    await views.open(EVE, TARGET)
    assert reader.closed == []
    await views.open(EVE, TARGET)
    assert reader.closed == anns[:1]
    assert bobs not in reader.closed


async def test_of_equals_the_one_that_used_its_view_least_recently_loses_it(views: OpenViews, reader: Opener) -> None:
    callers = [CallerKey("main", str(number)) for number in range(6)]
    first, *_ = [await views.open(caller, TARGET) for caller in callers]
    assert reader.closed == [first]


async def test_a_view_that_another_process_opened_counts_when_it_is_used_here(views: OpenViews, reader: Opener) -> None:
    await views.note_use(ANN, "elsewhere")
    for _ in range(3):
        await views.open(ANN, TARGET)
    assert reader.closed == ["elsewhere"]


async def test_idle_views_are_left_to_the_engine_and_count_no_more(
    views: OpenViews, reader: Opener, clock: Clock
) -> None:
    for _ in range(3):
        await views.open(ANN, TARGET)
    clock.now += VIEW_IDLE_SECONDS
    for _ in range(3):
        await views.open(ANN, TARGET)
    assert reader.closed == []


def test_a_caller_is_a_credential_with_its_own_tokens_or_a_subject_in_one_team() -> None:
    anonymous = Principal(TeamId("main"), "anonymous")
    token = replace(anonymous, credential="t1")
    own = replace(anonymous, credential="t2", owner="t1")
    assert caller_key(token) == caller_key(own) == CallerKey("main", "t1")
    assert caller_key(anonymous) == CallerKey("main", "anonymous")
    assert caller_key(replace(token, team=TeamId("other"))) != caller_key(token)
