"""Verbs: each module defines one as `command`, and is imported when the verb is called."""
