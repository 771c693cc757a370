"""A learned ranker that combines all evidence.

The evidence is: first stage, feedback, titles, sentences, neighbours, references, MeSH, related
sentences, the vectors of an encoder, and other systems' runs. Each is a group of features.

There are two stages, as in PubMed: feedback finds a thousand candidates, and a ranker that was
trained on judgements, or on authors' references, orders them.

References
----------
Fiorini et al.: Best Match: new relevance search for PubMed. PLoS Biology 16, 2018.
Liu: Learning to rank for information retrieval. Foundations and Trends in IR 3, 2009.
"""
