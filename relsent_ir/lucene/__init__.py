"""Access to Lucene; this is the only package that uses Java."""
