"""Text: words, n-grams, and what a rule can tell of a sentence."""
