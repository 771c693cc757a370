"""Verbs: each module holds one as `command`, and is imported only when it is called."""
