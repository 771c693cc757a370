"""Reading an index: documents, searches, filters, shards, and both indexes together."""
