"""Sample records: three invented fields with wells, wellbores, logs, markers and seismic surveys."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from app.sandbox.osdu.partition import PARTITION
from app.sandbox.osdu.records import point, record

_WELL: Final = "osdu:wks:master-data--Well:1.2.0"
_WELLBORE: Final = "osdu:wks:master-data--Wellbore:1.1.0"
_FIELD: Final = "osdu:wks:master-data--Field:1.0.0"
_OPERATOR: Final = "osdu:wks:master-data--Organisation:1.0.0"
_LOG: Final = "osdu:wks:work-product-component--WellLog:1.2.0"
_MARKERS: Final = "osdu:wks:work-product-component--WellboreMarkerSet:1.0.0"
_SURVEY: Final = "osdu:wks:master-data--SeismicAcquisitionSurvey:1.0.0"
_TRACES: Final = "osdu:wks:work-product-component--SeismicTraceData:1.0.0"
_PARAMETER: Final = "osdu:wks:reference-data--ProcessingParameterType:1.0.0"
_FORMATIONS: Final = ("Seabed", "Plover Shale", "Curlew Sandstone", "Dunlin Chalk")
_CURVES: Final = (("GR", "gamma ray", "gAPI"), ("RES", "resistivity", "ohm.m"), ("RHOB", "bulk density", "g/cm3"))
_WELLS_PER_FIELD: Final = 6


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    operator: str
    latitude: float
    longitude: float
    depth: float
    environment: str

    @property
    def key(self) -> str:
        return _slug(self.name)


_FIELDS: Final = (
    _Field("Amber Bank", "Example Petroleum", 58.40, 1.90, 3_050.0, "Offshore"),
    _Field("Cobalt Reef", "Example Petroleum", 60.75, 2.85, 2_210.0, "Offshore"),
    _Field("Juniper Hill", "Sandbox Energy", 53.10, 7.30, 1_480.0, "Onshore"),
)


def sample_records() -> list[dict[str, Any]]:
    """Return 125 records, always the same."""
    return [*_operators(), *_parameters(), *(each for field in _FIELDS for each in _records_of(field))]


def _records_of(field: _Field) -> Iterator[dict[str, Any]]:
    area = _outline(field.latitude, field.longitude, 0.25)
    data = {"FieldName": field.name, "Description": f"{field.environment} field of the sandbox's sample data"}
    yield _record("master-data--Field", field.key, _FIELD, data, area)
    for number in range(1, _WELLS_PER_FIELD + 1):
        yield from _well(field, number)
    yield from _seismic(field)


def _well(field: _Field, number: int) -> Iterator[dict[str, Any]]:
    key, name, year = f"{field.key}-{number}", f"{field.name} {number}", 2012 + 2 * number
    index = _FIELDS.index(field)
    depth = field.depth + 125.0 * number
    is_active = number % 3 != 0
    data = {
        "FacilityName": name,
        "FacilityID": key,
        "UWI": f"8{6 + index}9{number - 1}",
        "NameAliases": [
            {"AliasName": f"{'ACJ'[index]}{number:02}", "AliasNameTypeID": "short name"},
            {"AliasName": f"Prospect {name.upper()}", "AliasNameTypeID": "project name"},
        ],
        "FieldID": _id("master-data--Field", field.key) + ":",
        "CurrentOperatorID": _id("master-data--Organisation", _slug(field.operator)) + ":",
        "OperatingEnvironment": field.environment,
        "SpudDate": f"{year}-0{number}-15",
        "Depth": depth,
        "Active": is_active,
        "FacilityEvents": [
            {"FacilityEventType": "Spud", "EffectiveDateTime": f"{year}-0{number}-15T06:00:00Z"},
            *(
                []
                if is_active
                else [{"FacilityEventType": "Plugged", "EffectiveDateTime": f"{year + 4}-10-01T00:00:00Z"}]
            ),
        ],
        "VerticalMeasurements": [
            {"VerticalMeasurementID": "Rotary table", "VerticalMeasurement": 24.5 + number},
            {"VerticalMeasurementID": "Total depth", "VerticalMeasurement": depth},
        ],
        "Description": f"{'Production' if is_active else 'Exploration'} well in the {field.name} field",
    }
    place = point(field.latitude + 0.03 * number, field.longitude + 0.02 * number)
    yield _record("master-data--Well", key, _WELL, data, place)
    for side in ("A", "B")[: 1 + number % 2]:
        yield from _wellbore(field, key, name, side, depth)


def _wellbore(field: _Field, well: str, name: str, side: str, depth: float) -> Iterator[dict[str, Any]]:
    key, bottom = f"{well}-{side.lower()}", depth + (180.0 if side == "B" else 0.0)
    data = {
        "FacilityName": f"{name} {side}",
        "WellID": _id("master-data--Well", well) + ":",
        "Trajectory": "deviated" if side == "B" else "vertical",
        "Depth": bottom,
    }
    yield _record("master-data--Wellbore", key, _WELLBORE, data)
    wellbore = _id("master-data--Wellbore", key) + ":"
    log = {
        "Name": f"Composite log of {name} {side}",
        "WellboreID": wellbore,
        "TopMeasuredDepth": 450.0,
        "BottomMeasuredDepth": bottom,
        "Curves": [
            {"Mnemonic": mnemonic, "CurveDescription": description, "CurveUnit": unit}
            for mnemonic, description, unit in _CURVES[: 2 + (side == "A")]
        ],
        "Description": "Wireline log: gamma ray, resistivity" + (" and bulk density" if side == "A" else ""),
    }
    yield _record("work-product-component--WellLog", key, _LOG, log)
    markers = [
        {"MarkerName": formation, "MarkerMeasuredDepth": round(bottom * (place + 1) / 5, 1)}
        for place, formation in enumerate(_FORMATIONS)
    ]
    tops = {
        "Name": f"Formation tops of {name} {side}",
        "WellboreID": wellbore,
        "Markers": markers,
        "Description": f"Tops picked in the {field.name} field: {', '.join(_FORMATIONS)}",
    }
    yield _record("work-product-component--WellboreMarkerSet", key, _MARKERS, tops)


def _seismic(field: _Field) -> Iterator[dict[str, Any]]:
    for year, kind in ((2011, "2D"), (2019, "3D")):
        key, name = f"{field.key}-{kind.lower()}-{year}", f"{field.name} {kind} {year}"
        data = {
            "ProjectName": name,
            "SurveyType": kind,
            "ProjectBeginDate": f"{year}-05-01",
            "ProjectEndDate": f"{year}-08-20",
            "EnergySource": "air gun" if field.environment == "Offshore" else "vibrator trucks",
            "Description": f"Seismic {kind} survey of the {field.name} field",
        }
        yield _record("master-data--SeismicAcquisitionSurvey", key, _SURVEY, data, _outline(*_center(field), 0.15))
        for stage in ("raw", "migrated"):
            traces = {
                "Name": f"{name} {stage} traces",
                "SurveyID": _id("master-data--SeismicAcquisitionSurvey", key) + ":",
                "ProcessingStage": stage,
                "TraceCount": (12_000 if kind == "2D" else 480_000) // (1 if stage == "raw" else 2),
            }
            yield _record("work-product-component--SeismicTraceData", f"{key}-{stage}", _TRACES, traces)


def _operators() -> Iterator[dict[str, Any]]:
    for name in dict.fromkeys(field.operator for field in _FIELDS):
        yield _record(
            "master-data--Organisation", _slug(name), _OPERATOR, {"OrganisationName": name, "Role": "Operator"}
        )


def _parameters() -> Iterator[dict[str, Any]]:
    for key, name in (("qatest", "QA Test Parameter"), ("gain", "Automatic gain"), ("migration", "Migration velocity")):
        data = {"ID": key, "Name": name, "Code": key.upper(), "Description": f"{name} of the sandbox's sample data"}
        yield _record("reference-data--ProcessingParameterType", key, _PARAMETER, data)


def _record(
    entity: str, key: str, kind: str, data: dict[str, Any], shape: dict[str, Any] | None = None
) -> dict[str, Any]:
    return record(_id(entity, key), kind, data, partition=PARTITION, shape=shape)


def _id(entity: str, key: str) -> str:
    return f"{PARTITION}:{entity}:{key}"


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def _center(field: _Field) -> tuple[float, float]:
    return field.latitude + 0.1, field.longitude + 0.07


def _outline(latitude: float, longitude: float, half: float) -> dict[str, Any]:
    """Return a square around a place."""
    west, east, south, north = longitude - half, longitude + half, latitude - half, latitude + half
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}
