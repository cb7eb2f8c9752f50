"""What every request passes before and after its route; plain ASGI, so that nothing is copied or buffered."""
