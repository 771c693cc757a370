"""Vectors of texts by an encoder: computed once, stored beside the index, searched exactly.

No other package imports ONNX Runtime, which happens when an encoder is opened.
"""
