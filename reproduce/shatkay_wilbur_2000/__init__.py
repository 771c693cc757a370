"""Themes (Shatkay & Wilbur 2000): ten kernels as in the paper, and what the paper does not measure.

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.
"""
