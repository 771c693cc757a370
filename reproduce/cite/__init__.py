"""What `cite` finds of references that are left out, beside BM25 and `similar`."""
