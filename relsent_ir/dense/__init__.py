"""Vectors of texts by an encoder: encoded once, stored beside the index, searched exactly."""
