"""Records by a learned ranker."""

from relsent_ir.ranker.ranking import RankerReranker

reranker = RankerReranker
