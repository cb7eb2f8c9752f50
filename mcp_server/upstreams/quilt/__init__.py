"""Quilt's catalog: the wire in `client`, one backend chosen in `selection`, the rules in `service`."""
