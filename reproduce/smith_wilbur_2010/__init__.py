"""Related sentences: the paper's tables beside ours.

L. Smith, W. J. Wilbur. Finding related sentence pairs in MEDLINE. Information Retrieval 13, 2010:
Table 3 (break-even), sections 3.1 and 3.2, and Figure 4. Our own model, Huber+, stands beside its
methods.
"""
