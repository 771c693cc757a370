"""Records by PubMed's similar-articles model."""

from relsent_ir.citation.candidates import PmraReranker

reranker = PmraReranker
