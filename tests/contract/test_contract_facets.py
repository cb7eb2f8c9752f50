from tests.contract.caller import Caller


async def test_facets_count_the_matching_documents_by_value(caller: Caller) -> None:
    await caller.fill(
        {
            "a": ("boat", {"author": "Smith", "year": 2020}),
            "b": ("boat", {"author": ["Smith", "Jones", "Smith"], "year": 2020.0}),
            "c": ("boat", {"author": "Jones", "year": "2020"}),
            "d": ("boat", {"author": "Adams", "year": True}),
            "e": ("lake", {"author": "Smith", "year": 1999}),
            "f": "boat",
        }
    )
    facets = (await caller.search("boat", facets=["author", "year"], k=1))["facets"]
    assert facets["author"] == [
        {"value": "Jones", "count": 2},
        {"value": "Smith", "count": 2},
        {"value": "Adams", "count": 1},
    ]
    assert facets["year"] == [
        {"value": 2020, "count": 2},
        {"value": "2020", "count": 1},
        {"value": True, "count": 1},
    ]
    filtered = await caller.search("boat", facets=["author"], filters={"year": 2020})
    assert filtered["facets"]["author"] == [{"value": "Smith", "count": 2}, {"value": "Jones", "count": 1}]


async def test_a_facet_has_the_ten_biggest_values_by_count_then_value(caller: Caller) -> None:
    documents = {
        f"v{value:02}-{n}": ("boat", {"tag": f"t{value:02}"}) for value in range(14) for n in range(value % 3 + 1)
    }
    await caller.fill(documents)
    [*values] = (await caller.search("boat", facets=["tag"]))["facets"]["tag"]
    counts = {f"t{value:02}": value % 3 + 1 for value in range(14)}
    expected = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:10]
    assert [(value["value"], value["count"]) for value in values] == expected


async def test_numbers_are_ordered_as_numbers_and_dates_counted_as_written(caller: Caller) -> None:
    await caller.fill(
        {f"d{n}": ("boat", {"n": n, "when": f"2020-01-{n:02}", "b": n % 2 == 0}) for n in (2, 10, 9)}
        | {"neg": ("boat", {"n": -1.5})}
    )
    facets = (await caller.search("boat", facets=["n", "when", "b"]))["facets"]
    assert [value["value"] for value in facets["n"]] == [-1.5, 2, 9, 10]
    assert [value["value"] for value in facets["when"]] == ["2020-01-02", "2020-01-09", "2020-01-10"]
    assert facets["b"] == [{"value": True, "count": 2}, {"value": False, "count": 1}]


async def test_facets_are_the_same_on_every_page(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat " * (n + 1), {"tag": f"t{n % 3}"}) for n in range(9)})
    for arguments in ({}, {"sort": ["tag"]}):
        pages = await caller.pages("boat", facets=["tag"], k=4, **arguments)
        assert len(pages) == 3
        assert all(page["facets"] == {"tag": [{"value": f"t{n}", "count": 3} for n in range(3)]} for page in pages)


async def test_a_facet_without_matches_is_empty(caller: Caller) -> None:
    await caller.add("a", "boat", {"tag": "x"})
    assert (await caller.search("harbour", facets=["tag"]))["facets"] == {"tag": []}
    assert (await caller.search("", facets=["tag"]))["facets"] == {"tag": []}


async def test_an_index_describes_its_fields_with_types_and_samples(caller: Caller) -> None:
    await caller.create("things", tokenizer={"min_length": 3, "language": "none"}, sortable_fields={"year": "number"})
    await caller.fill(
        {
            "a": ("boat", {"author": "Smith", "year": 2020, "when": "2020-01-01", "deep": {"x": 1}, "none": None}),
            "b": ("boat", {"author": "Smith", "year": "2020", "open": True}),
            "c": ("boat", {"author": "Jones", "year": [2020, "x"]}),
        },
        "things",
    )
    described = await caller.describe("things")
    assert described == {
        "success": True,
        "index_name": "things",
        "documents": 3,
        "tokenizer_config": {"lowercase": True, "min_length": 3, "language": "none"},
        "fields": [
            {"name": "author", "types": ["string"], "documents": 3, "sample_values": ["Smith", "Jones"]},
            {"name": "open", "types": ["boolean"], "documents": 1, "sample_values": [True]},
            {"name": "when", "types": ["date"], "documents": 1, "sample_values": ["2020-01-01"]},
            {"name": "year", "types": ["number", "string"], "documents": 3, "sample_values": [2020, "2020", "x"]},
        ],
        "sortable_fields": {"year": "number"},
    }


async def test_a_field_has_five_samples_at_most(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat", {"n": n}) for n in range(8)})
    [described] = (await caller.describe())["fields"]
    assert described["sample_values"] == [0, 1, 2, 3, 4]
    assert described["documents"] == 8


async def test_an_index_that_was_never_written_describes_itself_as_empty(caller: Caller) -> None:
    described = await caller.describe()
    assert described["documents"] == 0
    assert described["fields"] == []
    assert described["tokenizer_config"] == {"lowercase": True, "min_length": 2, "language": "english"}
