"""The settings of a server: models, runs, and limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.hits import Run
from relsent_ir.trec import Evaluation, evaluate
from relsent_ir.trec.qrels import Qrels, read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import read_topics

LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names under which browsers on this machine reach the server."""

QUERY: Final = 1000
"""Largest number of characters of a query."""
NAME: Final = 200
"""Largest number of characters of an entity's name, or of an id."""
VALUES: Final = 20
"""Largest number of values of a filter."""
BASKET: Final = 200
"""Largest number of entries in a basket."""
TERMS: Final = 40
"""Largest number of terms associated with an entity."""
PAGE: Final = 10
"""Number of hits on a page."""
PAGES: Final = 100
"""Largest number of pages of a search."""
RERANKED: Final = 100
"""Number of hits that the learned ranker reorders."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes
    ----------
    ranker : str
        A reranker that `relsent_ir.load_model` accepts; "" for BM25 only.
    related : str
        The model of related sentences: the name of a formula, or the folder of a trained model.
    runs : tuple of Path
        Runs to show; the first is the baseline.
    qrels, topics : Path or None
        The judgements of the runs, and the texts of the topics.
    hosts : tuple of str
        The names in the Host header that are answered.
    threads : int
        Number of requests for slow pages that run at once; 0 for one less than the processors.
    waiting : int
        Largest numbers of open requests for quick pages and for slow ones; others are refused.
    seconds : float
        Time limit of a request.
    processor : float
        Limit on the processor time of a request, in seconds.
    megabytes : float
        Limit on the growth of the process while a slow page is computed.
    token : str
        A token that each browser must send once; "" for none.
    name : str
        The name of the collection that readers see; "" for the name of its folder.
    """

    ranker: str = ""
    related: str = "huber-plus"
    runs: tuple[Path, ...] = ()
    qrels: Path | None = None
    topics: Path | None = None
    hosts: tuple[str, ...] = LOCAL
    threads: int = 0
    waiting: int = 64
    seconds: float = 20.0
    processor: float = 10.0
    megabytes: float = 150.0
    token: str = ""
    name: str = ""


MEASURES: Final = {
    "map": "AP",
    "P_10": "P@10",
    "ndcg_cut_10": "nDCG@10",
    "recall_100": "R@100",
    "recip_rank": "RR",
}
"""Measures of trec_eval for a topic, with the names shown here."""


@dataclass(frozen=True)
class Measured:
    """Runs with judgements, as they were at the start of the server.

    Attributes
    ----------
    runs : dict of str to Run
        Runs by the names of their files.
    qrels : dict of str to dict of str to int
    topics : dict of str to str
        Texts of the topics, if there is a file of topics.
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
