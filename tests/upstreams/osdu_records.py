"""Sample wells and wellbores for tests of OSDU."""

from typing import Any

from app.sandbox.osdu import records
from app.sandbox.osdu.records import owners_of, point, viewers_of

PARTITION = "opendes"
WELL = "osdu:wks:master-data--Well:1.0.0"
WELLBORE = "osdu:wks:master-data--Wellbore:1.1.0"
VIEWERS, OWNERS = viewers_of(PARTITION), owners_of(PARTITION)
SECRET_VIEWERS = viewers_of(PARTITION, "secret")

_NAMES = ("Alpha", "Beta North", "Gamma", "Delta", "Epsilon South", "Zeta")


def record(
    id_: str,
    kind: str,
    data: dict[str, Any],
    *,
    place: tuple[float, float] | None = None,
    viewers: str = VIEWERS,
    owners: str = OWNERS,
) -> dict[str, Any]:
    """Return a record as it is indexed; a place is (latitude, longitude)."""
    shape = None if place is None else point(*place)
    return records.record(id_, kind, data, partition=PARTITION, shape=shape, viewers=viewers, owners=owners)


def sample_records() -> list[dict[str, Any]]:
    """Return six wells with two wellbores each, one with words that hide and mark, and one that few may see."""
    made = []
    for number, name in enumerate(_NAMES, start=1):
        data = {
            "FacilityName": f"Well {name}",
            "UWI": f"86{number:02}",
            "SpudDate": f"20{10 + number}-03-01",
            "Depth": 1000.0 * number,
            "Active": number % 2 == 0,
        }
        made.append(record(f"opendes:master-data--Well:{number}", WELL, data, place=(56.0 + number, 1.0 + number)))
        for side in ("A", "B"):
            bore = {
                "FacilityName": f"{name} bore {side}",
                "WellID": f"opendes:master-data--Well:{number}:",
                "NameAliases": [{"AliasName": f"{number}/{side}-1"}],
            }
            made.append(record(f"opendes:master-data--Wellbore:{number}{side}", WELLBORE, bore))
    hostile = {"FacilityName": "Odd \u202eWell\u200b <b>name</b>", "Remark": 'quote " and \\ backslash'}
    made.append(record('opendes:master-data--Well:odd"name\\(1)', WELL, hostile))
    hidden = {"FacilityName": "Well Hidden"}
    made.append(record("opendes:master-data--Well:hidden", WELL, hidden, viewers=SECRET_VIEWERS, owners=SECRET_VIEWERS))
    return made
