"""Sentences by the probability that they answer the topic."""

from relsent_ir.answers.searching import AnswerReranker

reranker = AnswerReranker
