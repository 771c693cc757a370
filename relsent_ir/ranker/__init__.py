"""A learned ranker over all the evidence.

Groups of features are: first stage, feedback, titles, sentences, moves, neighbours, references,
MeSH, the record itself, related sentences, vectors, and runs from elsewhere.

There are two stages, as in PubMed: feedback finds a thousand candidates, and a ranker that was
trained on judgements, or on the references of authors, orders them.

References
----------
Fiorini et al.: Best Match: new relevance search for PubMed. PLoS Biology 16, 2018.
Liu: Learning to rank for information retrieval. Foundations and Trends in IR 3, 2009.
"""
