"""Arrays derived from an index, and search in these arrays."""
