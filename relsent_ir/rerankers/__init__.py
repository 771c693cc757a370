"""The package's rerankers, a module each: its name is the reranker's, `reranker` what makes it.

That is a class or function of one argument, the name or a model's folder, or a function of a query
and texts; one with several `names` has its own. A model's folder is opened by the module with the
name of its family.
"""
