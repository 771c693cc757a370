"""Related sentences put to use: stop words, senses of a word, summaries, segments of an abstract.

L. Smith, W. J. Wilbur. Finding related sentence pairs in MEDLINE. Information Retrieval 13, 2010:
section 5.2 and Table 5 (the senses of *ventilation*), and section 6 (summaries, topical segments).
"""
