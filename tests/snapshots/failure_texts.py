"""Every text that an expected failure can have, read from the source: what is filled in when it is raised is `{}`."""

import ast
from collections.abc import Iterator
from pathlib import Path

from mcp_server.features.all import FEATURES

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("indexer", "workers", "mcp_server", "app")
TOLD = ("action", "command", "alternatives", "limited", "unavailable", "timed_out")
FAILURES = frozenset({"action", "retry_after", "limited"})
"""Failures are given one of these, their namesakes in other packages none."""
BASE = "PlatformError"
GUARD = "ErrorMessages"
FILLED_IN = "{}"


def failure_texts() -> str:
    """Return the texts, a line each, sorted: where they stand does not matter."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    categories = _categories(trees)
    lines = {line for tree in trees for line in _lines(tree, categories)}
    return "\n".join(sorted(lines | set(_advice()))) + "\n"


def _advice() -> Iterator[str]:
    """Yield what features add to failures of the library."""
    for feature in FEATURES:
        for kind, advice in feature.advice.items():
            action = f" | action={advice.action}" if advice.action else ""
            others = ", ".join(f"{name}: {text}" for name, text in advice.alternatives.items())
            yield f"advice on {kind.__name__}{action} | alternatives={{{others}}}"


def _categories(trees: list[ast.Module]) -> dict[str, str]:
    """Return the category of each kind of failure by its name: its own, or that of the kind it derives from."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = {GUARD: "guard", BASE: ""}
    while more := [each for each in classes if each.name not in found and _base(each) in found]:
        found |= {each.name: _own_category(each) or found[_base(each)] for each in more}
    return {name: category for name, category in found.items() if category}


def _base(node: ast.ClassDef) -> str:
    return _name(node.bases[0]) if node.bases else ""


def _own_category(node: ast.ClassDef) -> str | None:
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="category")], value=ast.Constant(value=str() as category)):
                return category
    return None


def _lines(tree: ast.Module, categories: dict[str, str]) -> Iterator[str]:
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    owners = {
        id(inner): node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name in categories
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _name(node.func)
            kind = owners.get(id(node), "") if name == "__init__" else name
            if kind in categories and any(word.arg in FAILURES for word in node.keywords):
                told = [_text(argument, constants) for argument in node.args[:1]]
                told += [f"{word.arg}={_text(word.value, constants)}" for word in node.keywords if word.arg in TOLD]
                yield f"{categories[kind]}: {' | '.join(told)}"


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _text(node: ast.expr | None, constants: dict[str, ast.expr]) -> str:
    if isinstance(node, ast.Name):
        node = constants.get(node.id)
    match node:
        case ast.Constant(value=str() as text):
            return text.replace("\n", "\\n")
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, constants) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, constants) + _text(right, constants)
        case ast.IfExp(body=body, orelse=orelse):
            return f"({_text(body, constants)} or {_text(orelse, constants)})"
        case ast.Dict(keys=keys, values=values):
            told = [(_text(key, constants), _text(value, constants)) for key, value in zip(keys, values, strict=True)]
            return "{" + ", ".join(f"{key}: {value}" for key, value in told) + "}"
        case _:
            return FILLED_IN
