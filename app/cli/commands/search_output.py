"""Renders search results for a terminal; click removes the styles if the output is no terminal."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from app.cli.commands.report import printable
from app.cli.commands.units import counted

_HIGHLIGHT: Final = re.compile(r"<mark>(.*?)</mark>", re.DOTALL)


def render_index_results(result: Mapping[str, Any]) -> str:
    """Render results of a local index."""
    lines = _head(result["total_matches"], len(result["results"]), result["did_you_mean"])
    for number, hit in enumerate(result["results"], start=1):
        lines += ["", f"{number}. {click.style(printable(hit['title']), underline=True)}  {hit['score']:.2f}"]
        if hit["title"] != hit["doc_id"]:
            lines.append("   " + click.style(printable(hit["doc_id"]), dim=True))
        lines += [f"   {_render_highlight(highlight)}" for highlight in hit["highlights"]]
        if summary := render_metadata(hit["metadata"]):
            lines.append("   " + click.style(summary, dim=True))
    return "\n".join(lines)


def render_archive_results(result: Mapping[str, Any]) -> str:
    """Render results of the archive."""
    lines = _head(result["metadata"]["totalResults"], len(result["results"]), result["did_you_mean"])
    titles = {node["id"]: node["label"] for node in result.get("citationGraph", {}).get("nodes", ())}
    for number, hit in enumerate(result["results"], start=1):
        document = hit["document"]
        title = click.style(printable(document["title"] or document["path"]), underline=True)
        lines += ["", f"{number}. {title}  {document['score']:.2f}"]
        lines.append("   " + click.style(printable(" · ".join(_document_fields(document))), dim=True))
        lines += _snippets(hit["highlights"])
        lines += _citations(hit.get("citations"), titles)
    return "\n".join(lines)


def render_metadata(metadata: Mapping[str, Any]) -> str:
    """Render the flat fields of a document's metadata in one line."""
    fields = []
    for name, value in metadata.items():
        values = value if isinstance(value, list) else [value]
        if values and all(isinstance(one, str | int | float) for one in values):
            fields.append(f"{name}: {', '.join(str(one) for one in values)}")
    return printable(" · ".join(fields))


def _head(total: int, shown: int, suggestion: str | None) -> list[str]:
    lines = [counted(total, "match", "matches") + (f", {shown} shown" if shown < total else "")]
    if suggestion:
        lines.append(f"Did you mean: {printable(suggestion)}")
    return lines


def _document_fields(document: Mapping[str, Any]) -> list[str]:
    return [str(document[name]) for name in ("path", "date", "id") if document[name]]


def _snippets(highlights: list[Mapping[str, Any]]) -> Iterator[str]:
    for highlight in highlights:
        if highlight["field"] == "title":
            continue
        for snippet, place in zip(highlight["snippets"], highlight["locations"], strict=True):
            where = ", ".join(_place_parts(place))
            yield f"   {_render_highlight(snippet)}" + (click.style(f"  ({where})", dim=True) if where else "")


def _place_parts(place: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{name} {place[name]}" for name in ("page", "line") if place[name] is not None)
    if place["heading"]:
        yield printable(place["heading"])


def _citations(citations: Mapping[str, Any] | None, titles: Mapping[str, str]) -> Iterator[str]:
    if citations is None:
        return
    for citation in citations["citing"]:
        yield f"   cites {_cited_document(citation['targetId'], titles) or printable(citation['targetUrl'])}"
    for citation in citations["cited"]:
        yield f"   cited by {_cited_document(citation['sourceId'], titles)}"
    if citations.get("truncated"):
        yield "   and more citations"


def _cited_document(id_: str | None, titles: Mapping[str, str]) -> str:
    if id_ is None:
        return ""
    title = titles.get(id_)
    return f"{printable(title)}  {click.style(printable(id_), dim=True)}" if title else printable(id_)


def _render_highlight(highlight: str) -> str:
    parts = _HIGHLIGHT.split(highlight)
    texts = [printable(html.unescape(part)) for part in parts]
    return "".join(click.style(text, fg="yellow", bold=True) if place % 2 else text for place, text in enumerate(texts))
