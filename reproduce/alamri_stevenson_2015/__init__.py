"""Claim zones and answers: the tables of Alamri & Stevenson 2015 beside ours.

References
----------
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146.
"""
