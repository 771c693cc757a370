"""Text processing: words, tokens, tags, phrases, and rules about sentences."""
