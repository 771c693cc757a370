"""Text: words, tokens, tags, phrases, and rules about sentences."""
