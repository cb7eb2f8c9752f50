from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from indexer.engines.port import Engine
from indexer.engines.record_port import Change
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


def test_several_records_are_read_at_once_in_the_order_asked(engine: Engine, team: TeamId) -> None:
    records = engine.records
    assert records.get_many("unheard-of", [f"{team}/a"]) == [None]
    first, second = (records.put_if("trials", f"{team}/{key}", {"key": key}, None) for key in "ab")
    assert records.get_many("trials", [f"{team}/b", f"{team}/none", f"{team}/a"]) == [second, None, first]
    assert records.get_many("trials", []) == []


def test_more_records_than_one_request_takes_are_written_read_and_deleted(engine: Engine, team: TeamId) -> None:
    records = engine.records
    changes = [Change(f"{team}/{number:05}", {"n": number}, None) for number in range(1_100)]
    written = records.put_many("trials", changes)
    assert [record.value["n"] for record in written if record] == list(range(1_100))
    assert records.get_many("trials", [change.key for change in changes]) == written
    assert records.delete_many("trials", [record for record in written if record]) == 1_100
    assert records.list("trials", f"{team}/") == []


def test_of_several_changes_each_is_made_by_its_own_revision(engine: Engine, team: TeamId) -> None:
    records = engine.records
    one, other, absent = (f"{team}/{name}" for name in ("one", "other", "absent"))
    first, second = records.put_many("trials", [Change(one, {"n": 1}, None), Change(other, {"n": 1}, None)])
    assert first is not None
    assert second is not None
    newer = records.put_if("trials", other, {"n": 2}, second.revision)
    changes = [
        Change(one, {"n": 3}, first.revision),
        Change(other, {"n": 3}, second.revision),
        Change(absent, {"n": 3}, first.revision),
    ]
    changed, conflict, nothing = records.put_many("trials", changes)
    assert changed is not None
    assert (conflict, nothing) == (None, None)
    assert records.get_many("trials", [one, other, absent]) == [changed, newer, None]
    assert records.put_many("trials", [Change(one, {}, None), Change(absent, {}, None)])[0] is None
    assert records.put_many("trials", []) == []


def test_of_several_deletions_each_is_made_by_its_own_revision(engine: Engine, team: TeamId) -> None:
    records = engine.records
    first, second = records.put_many("trials", [Change(f"{team}/a", {}, None), Change(f"{team}/b", {}, None)])
    assert first is not None
    assert second is not None
    newer = records.put_if("trials", second.key, {"n": 2}, second.revision)
    assert records.delete_many("trials", [first, second]) == 1
    assert records.delete_many("trials", [first, second]) == 0
    assert records.delete_many("unheard-of", [first]) == 0
    assert records.get_many("trials", [first.key, second.key]) == [None, newer]


def test_of_many_who_change_several_records_at_once_each_wins_once(engine: Engine, team: TeamId) -> None:
    store = Store(engine.records, "counts", Counted)
    keys = [f"{team}/{name}" for name in "abc"]

    def add(_: int) -> None:
        store.put_many(keys, lambda _key, stored: Counted(1 + (stored.number if stored else 0)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(12)))
    assert [stored.value for stored in store.get_many(keys) if stored] == [Counted(12)] * 3
    assert store.put_many(keys, lambda _key, _stored: None) == {}
