"""Who may do what: scopes, tokens, limits and audit. `run` applies them to every call."""
