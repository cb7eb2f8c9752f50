"""`python -m app` is `trawl`."""

from app.cli import main

main(prog_name="trawl")
