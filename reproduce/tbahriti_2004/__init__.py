"""Similar citations: the tables of Tbahriti et al. 2004 and ours.

References
----------
I. Tbahriti, C. Chichester, F. Lisacek, P. Ruch. Using argumentation to retrieve articles with
similar citations from MEDLINE. NLPBA/BioNLP 2004: Tables 3 to 5.
"""
