"""Vectors of texts by an encoder: encoded once, stored beside the index, searched exactly.

The only package that imports ONNX Runtime, and not before an encoder is opened.
"""
