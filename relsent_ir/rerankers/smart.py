"""Records or sentences by the weighting schemes of SMART."""

from relsent_ir.feedback.smart import SmartReranker

reranker = SmartReranker
