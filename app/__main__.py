"""`python -m app` is `trawl`."""

from app.cli.main import main

main(prog_name="trawl")
