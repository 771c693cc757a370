"""The invented questions of the answers' tests."""

from tests.answers.conftest import posed, questions

__all__ = ["posed", "questions"]
