"""Recall of left-out references by `cite`, compared with BM25 and `similar`."""
