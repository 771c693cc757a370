"""Writing an index: batches of documents, commits of both indexes, moves, plans."""
