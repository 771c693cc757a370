"""The invented collection of articles that cite each other."""

from tests.citation.conftest import folder, records, tagged_folders  # noqa: F401 (fixtures)
