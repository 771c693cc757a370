"""A learned ranker over all the evidence.

That is: first stage, feedback, titles, sentences, neighbours, references, MeSH, related sentences,
an encoder's vectors, and runs from elsewhere; each a group of features.

Two stages, as PubMed's: feedback finds a thousand candidates, and a ranker that was learned from
judgements, or from the references of authors, orders them.

References
----------
Fiorini et al.: Best Match: new relevance search for PubMed. PLoS Biology 16, 2018.
Liu: Learning to rank for information retrieval. Foundations and Trends in IR 3, 2009.
"""
