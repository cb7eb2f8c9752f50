"""Numbers and booleans given as text are accepted where they convert without loss."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from indexer.arguments import Arguments
from indexer.local.arguments import CreateIndex, SearchIndex
from workers.jobs.arguments import ArchiveIngest


class Point(Arguments):
    """A nested object."""

    latitude: float


class Asked(Arguments):
    """A field of each type."""

    text: str = ""
    number: int | None = None
    share: float = 0.5
    flag: bool = False
    either: int | str = 0
    anything: Any = None
    values: dict[str, Any] | None = None
    level: Literal["1", "2"] = "1"
    points: list[Point] = Field(default_factory=list)


ACCEPTED: list[tuple[str, object, object]] = [
    ("number", "2", 2),
    ("number", "-2", -2),
    ("number", "2.0", 2),
    ("number", 2.0, 2),
    ("number", None, None),
    ("share", "2", 2.0),
    ("share", "0.25", 0.25),
    ("share", 3, 3.0),
    ("flag", "true", True),
    ("flag", "False", False),
    ("text", "123", "123"),
    ("either", "5", "5"),
    ("anything", "5", "5"),
    ("values", {"year": "2020", "open": "true"}, {"year": "2020", "open": "true"}),
    ("level", "2", "2"),
]
REFUSED: list[tuple[str, object]] = [
    *(
        ("number", value)
        for value in ("1e3", " 2 ", "2\n", "0x10", "\uff12", "inf", "nan", "", "1_000", "2.5", "2.", "two")
    ),
    *(("number", value) for value in (2.5, True, 1e300, float("inf"), "9" * 5000, ["2"])),
    *(("share", value) for value in ("1e3", " 0.5", ".5", "inf", "nan", "", "0,5", "\u0662", True, "1" * 400)),
    *(("flag", value) for value in ("yes", "1", "0", "TRUE", "on", "", " true", 1, 0, None)),
    *(("text", value) for value in (5, True, 2.0)),
    ("level", 2),
]


@pytest.mark.parametrize(("name", "value", "expected"), ACCEPTED)
def test_what_converts_without_loss_is_converted_and_text_stays_text(
    name: str, value: object, expected: object
) -> None:
    converted = getattr(Asked.model_validate({name: value}), name)
    assert converted == expected
    assert type(converted) is type(expected)


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_everything_else_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Asked.model_validate({name: value})
    assert caught.value.errors()[0]["loc"][0] == name


def test_nested_arguments_are_converted_too() -> None:
    assert Asked.model_validate({"points": [{"latitude": "1.5"}]}).points[0].latitude == 1.5
    made = CreateIndex.model_validate(
        {"index_name": "7", "tokenizer_config": {"lowercase": "false", "min_length": "3"}}
    )
    assert (made.index_name, made.tokenizer_config.lowercase, made.tokenizer_config.min_length) == ("7", False, 3)
    ingest = ArchiveIngest.model_validate({"source": {"type": "folder", "path": "1", "mirror": "true"}})
    assert ingest.source.model_dump() == {
        "type": "folder",
        "path": "1",
        "include": None,
        "exclude": None,
        "ignore": True,
        "mirror": True,
    }


def test_a_range_holds_for_converted_numbers() -> None:
    assert SearchIndex.model_validate({"query": "5", "k": "1000"}).k == 1000
    with pytest.raises(ValidationError, match="less than or equal to 1000"):
        SearchIndex.model_validate({"query": "5", "k": "1001"})


@given(st.integers(-(10**15) + 1, 10**15 - 1))
def test_every_integer_comes_back_from_its_text(number: int) -> None:
    assert Asked.model_validate({"number": str(number)}).number == number


@given(st.decimals(-(10**9), 10**9, allow_nan=False, places=6))
def test_every_plain_decimal_is_the_number_that_json_would_give(number: Any) -> None:
    assert Asked.model_validate({"share": f"{number:f}"}).share == float(number)


@given(st.text())
def test_no_text_is_both_refused_and_changed(text: str) -> None:
    assert Asked.model_validate({"text": text, "anything": text}).text == text
    try:
        number = Asked.model_validate({"number": text}).number
    except ValidationError:
        return
    assert number == float(text)
    assert text.isascii()
