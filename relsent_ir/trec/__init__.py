"""Evaluation: topics, qrels, runs, measures, significance and fusion, in TREC's formats."""

from typing import TYPE_CHECKING

from relsent_ir.lazy import lazily

if TYPE_CHECKING:
    from relsent_ir.trec.columns import check_common_topics
    from relsent_ir.trec.comparison import TESTS, compare
    from relsent_ir.trec.cystic_fibrosis import read_cystic_fibrosis_qrels
    from relsent_ir.trec.evaluation import Evaluation, evaluate
    from relsent_ir.trec.fusion import average, combine, interpolate, normalize, reciprocal_rank
    from relsent_ir.trec.measures import measure_names
    from relsent_ir.trec.qrels import Qrels, read_qrels, write_qrels
    from relsent_ir.trec.runs import read_run, run_scores, write_run
    from relsent_ir.trec.significance import holm, paired_t, randomisation, sign, wilcoxon
    from relsent_ir.trec.tables import ComparisonTable, EvaluationTable, compare_runs, evaluate_runs
    from relsent_ir.trec.topics import TOPIC_FORMATS, read_topics, write_topics

__getattr__ = lazily(
    __name__,
    {
        "columns": ("check_common_topics",),
        "comparison": ("TESTS", "compare"),
        "cystic_fibrosis": ("read_cystic_fibrosis_qrels",),
        "evaluation": ("Evaluation", "evaluate"),
        "fusion": ("average", "combine", "interpolate", "normalize", "reciprocal_rank"),
        "measures": ("measure_names",),
        "qrels": ("Qrels", "read_qrels", "write_qrels"),
        "runs": ("read_run", "run_scores", "write_run"),
        "significance": ("holm", "paired_t", "randomisation", "sign", "wilcoxon"),
        "tables": ("ComparisonTable", "EvaluationTable", "compare_runs", "evaluate_runs"),
        "topics": ("TOPIC_FORMATS", "read_topics", "write_topics"),
    },
)

__all__ = [
    "TESTS",
    "TOPIC_FORMATS",
    "ComparisonTable",
    "Evaluation",
    "EvaluationTable",
    "Qrels",
    "average",
    "check_common_topics",
    "combine",
    "compare",
    "compare_runs",
    "evaluate",
    "evaluate_runs",
    "holm",
    "interpolate",
    "measure_names",
    "normalize",
    "paired_t",
    "randomisation",
    "read_cystic_fibrosis_qrels",
    "read_qrels",
    "read_run",
    "read_topics",
    "reciprocal_rank",
    "run_scores",
    "sign",
    "wilcoxon",
    "write_qrels",
    "write_run",
    "write_topics",
]
