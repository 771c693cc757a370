"""Rerankers, a module each: its name is the reranker's, `reranker` is what makes it.

That is a class or function of one argument, the name or a model's folder, or a function of a query
and texts; one with several `names` has its own. `relsent_ir.rank` names those of other rooms.
"""
