"""Associations between words, their vectors, and the measures of pairs that rest on them."""
