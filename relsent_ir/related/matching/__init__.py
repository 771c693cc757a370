"""Finding the best of all sentences for a text, or the best of BM25's candidates."""
