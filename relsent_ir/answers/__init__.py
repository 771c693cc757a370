"""Answers: the sentences of an abstract that answer a question (Alamri & Stevenson 2015)."""

from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.answers.questions import read_questions
from relsent_ir.answers.searching import Answer, find_answers

__all__ = ["Answer", "AnswerModel", "default_model", "find_answers", "read_questions"]
