"""What Trawl can do, one folder a feature; `all` lists them."""
