"""Reading an index: its documents, searches, filters, shards, and both indexes as one."""
