"""Runs with their judgements, read and measured when the server starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.hits import Run
from relsent_ir.trec import Evaluation, evaluate
from relsent_ir.trec.qrels import Qrels, read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import read_topics
from relsent_ir.web.settings import Settings

MEASURES: Final = {
    "map": "AP",
    "P_10": "P@10",
    "ndcg_cut_10": "nDCG@10",
    "recall_100": "R@100",
    "recip_rank": "RR",
}
"""trec_eval's measures of a topic, and how they are called here."""


@dataclass(frozen=True)
class Measured:
    """Runs with their judgements, as of the start of the server.

    Attributes
    ----------
    runs : dict of str to Run
        By their files' names.
    qrels : dict of str to dict of str to int
    topics : dict of str to str
        Texts, if there is a file of topics.
    evaluations : dict of str to Evaluation
    """

    runs: Mapping[str, Run]
    qrels: Qrels
    topics: Mapping[str, str]
    evaluations: Mapping[str, Evaluation]

    @classmethod
    def read(cls, settings: Settings) -> "Measured | None":
        """Read and measure the runs; None without runs.

        Raises
        ------
        UsageError
            If two runs have the same name.
        RelsentError
            If a file cannot be read, or the runs have no judged topic.
        """
        if not settings.runs or not settings.qrels:
            return None
        names = [path.name.removesuffix(".gz").removesuffix(".txt") for path in settings.runs]
        if len(set(names)) < len(names):
            raise UsageError("two runs have one name", fix="name their files differently")
        runs = dict(zip(names, map(read_run, settings.runs), strict=True))
        qrels = read_qrels(settings.qrels)
        return cls(
            runs,
            qrels,
            read_topics(settings.topics) if settings.topics else {},
            {name: evaluate(qrels, run, MEASURES) for name, run in runs.items()},
        )
