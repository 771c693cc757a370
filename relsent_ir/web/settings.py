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
"""Names by which a browser on this machine calls it."""

QUERY: Final = 1000
"""Characters of a query, at most."""
NAME: Final = 200
"""Characters of an entity's name, or of an id, at most."""
VALUES: Final = 20
"""Values of a filter, at most."""
BASKET: Final = 200
"""What a basket holds, at most."""
TERMS: Final = 40
"""Terms that go with an entity, at most."""
PAGE: Final = 10
"""Hits on a page."""
PAGES: Final = 100
"""Pages of a search, at most."""
RERANKED: Final = 100
"""Hits that the learned ranker puts into its order."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes
    ----------
    ranker : str
        A reranker, as `relsent_ir.load_model` takes it; "" for BM25 alone.
    related : str
        What finds related sentences: a formula's name, or the folder of a trained model.
    runs : tuple of Path
        Runs to be looked at, the baseline first.
    qrels, topics : Path or None
        Their judgements, and the topics' texts.
    hosts : tuple of str
        The names in the Host header that are answered.
    threads : int
        Requests of slow pages that are worked on at once; one less than processors if 0.
    waiting : int
        Requests, of quick pages and of slow ones, that may be open; more are turned away.
    seconds : float
        How long a request may take.
    processor : float
        Seconds of processor time that it may take.
    megabytes : float
        By how much the process may grow while a slow page is made.
    token : str
        What a browser has to give once; "" if none is asked for.
    name : str
        How readers are told that the collection is called; "" for its folder's name.
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
