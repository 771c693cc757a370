"""Themes (Shatkay & Wilbur 2000): ten kernels as in the paper, and measures beyond the paper.

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.
"""
