"""`trawl completion`: prints the script that completes commands, options and names of indices in a shell."""

from typing import Final

import click
from click.shell_completion import get_completion_class

_HELP: Final = """\
Print the script that completes commands, options and names of indices.

\b
bash: add to ~/.bashrc: eval "$(trawl completion bash)"
zsh:  add to ~/.zshrc, after compinit: eval "$(trawl completion zsh)"
fish: trawl completion fish > ~/.config/fish/completions/trawl.fish
"""


@click.command("completion", help=_HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(*, shell: str) -> None:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    root = click.get_current_context().find_root().command
    if kind is not None:
        click.echo(kind(root, {}, "trawl", "_TRAWL_COMPLETE").source())
