"""The page: HTML, CSS and ES modules, served as they are."""
