"""The sentences of a collection as words, in memory and beside its index."""
