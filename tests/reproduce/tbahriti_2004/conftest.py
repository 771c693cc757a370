"""The invented collection of articles that cite each other."""

from tests.citation.conftest import folder, records  # noqa: F401 (fixtures)
