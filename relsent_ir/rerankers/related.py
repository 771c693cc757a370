"""Sentences by formulas and models of related pairs."""

from relsent_ir.related.reranker import RelatedReranker

reranker = RelatedReranker
