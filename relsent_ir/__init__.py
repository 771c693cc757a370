"""Search and rerank MEDLINE sentences with Lucene: six published methods, measured by trec_eval."""

__version__ = "0.1.0"
