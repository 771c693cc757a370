"""The invented collection of the tests of feedback."""

from tests.feedback.conftest import build, folder, records, topics

__all__ = ["build", "folder", "records", "topics"]
