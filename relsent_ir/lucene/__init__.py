"""The engine: the only package that touches Java."""
