"""Argumentative moves: the papers' tables and ours.

References
----------
P. Ruch et al. Argumentative feedback. COLING/ACL 2006 posters, 675-682: Tables 3 and 4.
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146: Tables 1 and 2.
"""
