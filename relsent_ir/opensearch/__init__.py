"""A collection that lives in OpenSearch: sent there, searched there, reranked here."""
