"""The features, one folder each; `all` lists them."""
