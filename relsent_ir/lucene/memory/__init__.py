"""Arrays derived from an index, and searching in them."""
