"""The best of all sentences for a text, and the best of BM25's candidates."""
