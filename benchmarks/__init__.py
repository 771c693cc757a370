"""Figures of speed, memory and quality that the pages show: ``python -m benchmarks.NAME``."""
