from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from indexer.engines.port import Engine
from indexer.records import Store
from indexer.tenancy import TeamId


@dataclass(frozen=True, slots=True)
class Counted:
    number: int


def test_a_record_changes_only_from_the_revision_named(engine: Engine, team: TeamId) -> None:
    records = engine.records
    key = f"{team}/{'k' * 400}/é"
    assert (records.get("trials", key), records.list("trials", f"{team}/")) == (None, [])
    first = records.put_if("trials", key, {"n": 1, "deep": {"a": [None, 1.5]}}, None)
    assert first is not None
    assert records.put_if("trials", key, {"n": 2}, None) is None
    second = records.put_if("trials", key, {"n": 2}, first.revision)
    assert second is not None
    assert records.put_if("trials", key, {"n": 3}, first.revision) is None
    assert records.get("trials", key) == second
    assert records.delete_if("trials", key, first.revision) is False
    assert records.delete_if("trials", key, second.revision) is True
    assert records.delete_if("trials", key, second.revision) is False
    assert records.get("trials", key) is None


def test_a_record_is_put_whether_there_is_one_or_not(engine: Engine, team: TeamId) -> None:
    store = Store(engine.records, "counts", Counted)
    first = store.put(f"{team}/a", Counted(1))
    second = store.put(f"{team}/a", Counted(2))
    assert first.revision != second.revision
    assert store.get(f"{team}/a") == second
    assert store.replace(first, Counted(3)) is None
    assert store.replace(second, Counted(3)) is not None


def test_keys_within_a_record_may_be_of_any_form_and_number(engine: Engine, team: TeamId) -> None:
    value = {
        "kinds": {".dwg": 1, "no extension": 2, "a.b..c": 3, "image/png": 4, **{f".k{n}": n for n in range(2_000)}}
    }
    assert engine.records.put_if("trials", f"{team}/odd", value, None)
    record = engine.records.get("trials", f"{team}/odd")
    assert record is not None
    assert record.value == value


def test_records_are_listed_by_prefix_in_the_order_of_their_keys(engine: Engine, team: TeamId) -> None:
    records = engine.records
    for key in ("b/2", "a/1", "b/1", "b"):
        assert records.put_if("trials", f"{team}/{key}", {"key": key}, None)
    listed = [record.key for record in records.list("trials", f"{team}/")]
    assert listed == [f"{team}/{key}" for key in ("a/1", "b", "b/1", "b/2")]
    expected = [records.get("trials", f"{team}/b/1"), records.get("trials", f"{team}/b/2")]
    assert records.list("trials", f"{team}/b/") == expected


def test_of_many_who_change_a_record_at_once_each_wins_once(engine: Engine, team: TeamId) -> None:
    records, key = engine.records, f"{team}/counter"
    assert records.put_if("trials", key, {"n": 0}, None)

    def add(_: int) -> None:
        while True:
            record = records.get("trials", key)
            assert record is not None
            if records.put_if("trials", key, {"n": record.value["n"] + 1}, record.revision) is not None:
                return

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, range(40)))
    record = records.get("trials", key)
    assert record is not None
    assert record.value == {"n": 40}
