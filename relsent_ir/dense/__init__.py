"""Vectors of texts by an encoder: encoded once, stored beside the index, searched exactly.

The only package that knows ONNX Runtime; nothing of it is loaded before an encoder is opened.
"""
