"""A collection in OpenSearch: exported to a cluster, searched there, and reranked here."""
