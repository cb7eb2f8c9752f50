"""Connections of clients: how many there may be, how long one may wait, what may precede the application."""
