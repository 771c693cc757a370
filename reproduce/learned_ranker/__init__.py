"""A learned ranker over all the evidence, as PubMed ranks in two stages (Fiorini et al. 2018).

Fiorini et al.: Best Match: new relevance search for PubMed. PLoS Biology 16, 2018.

No table of the paper can be set beside ours: its clicks and its collection are not public.
"""
