"""The invented collection of the tests of feedback."""

from tests.feedback.conftest import build, folder, records, topics
from tests.lucene.conftest import sample, sample_update

__all__ = ["build", "folder", "records", "sample", "sample_update", "topics"]
