import pytest
from tantivy import Searcher

from indexer.engines.port import VIEW_IDLE_SECONDS
from indexer.engines.tantivy.schema import open_or_create_index
from indexer.engines.tantivy.search.views import Views
from indexer.errors import ExpiredView
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import PhysicalName

ONE = PhysicalName("trawl.main.one.1")
OTHER = PhysicalName("trawl.main.other.1")


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def searcher() -> Searcher:
    return open_or_create_index(IndexDefinition("local", 1), None).index.searcher()


def test_a_kept_searcher_comes_back_by_its_name(clock: Clock, searcher: Searcher) -> None:
    views = Views(clock)
    assert views.searcher(views.add(ONE, searcher), ONE) is searcher


def test_a_view_expires_after_silence_and_not_while_it_is_used(clock: Clock, searcher: Searcher) -> None:
    views = Views(clock)
    used, silent = views.add(ONE, searcher), views.add(ONE, searcher)
    clock.now += VIEW_IDLE_SECONDS - 1
    views.searcher(used, ONE)
    clock.now += 1
    assert views.searcher(used, ONE) is searcher
    with pytest.raises(ExpiredView):
        views.searcher(silent, ONE)


def test_a_view_of_another_index_or_process_is_an_expired_one(clock: Clock, searcher: Searcher) -> None:
    views = Views(clock)
    name = views.add(ONE, searcher)
    with pytest.raises(ExpiredView):
        views.searcher(name, OTHER)
    with pytest.raises(ExpiredView):
        Views(clock).searcher(name, ONE)


def test_idle_views_are_removed_without_another_search(clock: Clock, searcher: Searcher) -> None:
    views = Views(clock)
    views.add(ONE, searcher)
    clock.now += 1
    views.add(ONE, searcher)
    clock.now += VIEW_IDLE_SECONDS - 1
    assert views.remove_idle()
    clock.now += 1
    assert not views.remove_idle()


def test_closing_forgets_all_views(clock: Clock, searcher: Searcher) -> None:
    views = Views(clock)
    name = views.add(ONE, searcher)
    views.close()
    with pytest.raises(ExpiredView):
        views.searcher(name, ONE)
