"""Search by the catalog's GraphQL."""
