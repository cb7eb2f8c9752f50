"""OSDU search: the wire in `client`, the rules in `service`, reading on past a page in `reading`."""
