"""Similar citations: reference lists, and retrieval that weights the moves.

Tbahriti, Chichester, Lisacek, Ruch: Using argumentation to retrieve articles with similar citations
from MEDLINE. NLPBA/BioNLP 2004.
"""
