"""The sandboxes' sample data, with what is hard to search, in both engines."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.engine.port import BadRequest, Body
from app.sandbox.osdu import sample as osdu_sample
from app.sandbox.osdu.records import index_of, point, record
from app.sandbox.quilt import sample as quilt_sample
from app.sandbox.quilt.indices import indices_of
from tests.upstreams.opensearch_engine import OpenSearchEngine, filled

KIND = "osdu:wks:x--Odd:1.0.0"
ODD = (
    {
        "Name": "well log A34 8690 a-b C++ x_y éü 井戸 o'neil 5 1.5 TO and or not",
        "Note": "rate-limiting, of the big well. Another log here! AND so on",
        "Depth": 5.0,
        "SpudDate": "2020-01-01",
        "Number": 5,
        "VerticalMeasurements": [{"V": 1.5, "Name": "a b"}, {"V": 20.0, "Name": "c"}],
    },
    {"Name": "aab", "Note": "ab ba abc", "Number": -3, "VerticalMeasurements": [{"V": 7.0, "Name": "b a"}]},
    {"Name": ["one two", "three four", "five"], "Note": "well " * 30 + "log", "Number": 7, "SpudDate": "2020-06"},
    {"Name": "2020-01-01 data.Name a,b x=1 >5 <=3 @ # %", "Number": 2**40, "Depth": -1.25},
)


@dataclass(frozen=True, slots=True)
class Engines:
    """The engine in memory, and the real one that it must agree with."""

    memory: MemoryEngine
    opensearch: OpenSearchEngine

    async def search(self, indices: list[str], body: Body) -> tuple[Body | None, Body | None]:
        """Return both responses; None where a request was refused."""
        responses: list[Body | None] = []
        for engine in (self.memory, self.opensearch):
            try:
                responses.append(await engine.search(indices, body))
            except BadRequest:
                responses.append(None)
        return responses[0], responses[1]


@pytest.fixture(scope="module")
def engines(opensearch_url: str) -> Iterator[Engines]:
    odd = [
        record(f"odd:{number}", KIND, data, partition="sandbox", shape=point(50.0 + number, 3.0))
        for number, data in enumerate(ODD)
    ]
    plans = [index_of([*osdu_sample.sample_records(), *odd]), *indices_of(quilt_sample.sample_contents())]
    with filled(opensearch_url, plans) as prefix:
        yield Engines(MemoryEngine(plans), OpenSearchEngine(opensearch_url, prefix))
