"""Text: words, tokens, tags, phrases, and what a rule can tell of a sentence."""
