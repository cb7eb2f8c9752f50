"""The GraphQL backend."""
