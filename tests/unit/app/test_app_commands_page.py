"""docs/commands.md names every command and every option, and no other."""

import re

import click
import pytest

from tests.reference import DOCS
from tests.snapshots.commands import commands

COMMANDS = {" ".join(path): command for path, command in commands()}
SECTIONS = dict(re.findall(r"^### trawl (.+)\n((?:(?!^##).*\n)*)", (DOCS / "commands.md").read_text(), re.MULTILINE))


def test_every_command_has_a_section() -> None:
    assert sorted(SECTIONS) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_the_options_of_its_command(name: str) -> None:
    described = set(re.findall(r"(?<![\w-])`(--[a-z-]+)`", SECTIONS[name]))
    options = {
        option
        for parameter in COMMANDS[name].params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--") and option != "--help"
    }
    assert described == options
