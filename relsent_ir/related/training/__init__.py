"""Training models of related sentences on the sentences of an index."""
