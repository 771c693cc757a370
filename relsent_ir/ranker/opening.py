"""What the method `Ranker` opens: a search in two stages, or a reranker."""

from collections.abc import Mapping

from relsent_ir.feedback.engine import Opening
from relsent_ir.hits import Run
from relsent_ir.methods import Ranker, Rerank
from relsent_ir.rank import Reranker
from relsent_ir.ranker.ranking import NO_VECTORS, RankerReranker, RankerSearcher, StagedSearcher


def open_searcher(stage: Ranker, opening: Opening) -> StagedSearcher:
    """Open the search for abstracts, or for sentences of the best ones."""
    opening.refuse_stopwords(stage)
    engine, filters = opening.engine, opening.filters
    whole = engine.index.unit == "abstracts"
    # of sentences it is their vectors that count, not those of their records
    method = stage if whole else stage.changed(dense=NO_VECTORS)
    reranker = method.open("rerank", opening.rerankers, opening.runs)
    assert isinstance(reranker, RankerReranker)
    if whole:
        return RankerSearcher(engine.collection, reranker, filters=filters, engine=engine)
    from relsent_ir.ranker.sentence_ranking import SentenceRankerSearcher
    from relsent_ir.related.huber_plus import HuberPlusModel
    from relsent_ir.related.opening import PACKAGED
    from relsent_ir.related.reranker import RelatedReranker

    opened = Rerank(PACKAGED).open("rerank", opening.rerankers, opening.runs)
    assert isinstance(opened, RelatedReranker)
    related = opened.model(engine.collection)
    assert isinstance(related, HuberPlusModel)
    return SentenceRankerSearcher(
        engine.collection,
        reranker,
        engine=engine,
        related=related,
        vectors=None if stage.dense in (None, NO_VECTORS) else opening.open_vectors(stage.dense),
        filters=filters,
    )


def open_reranker(
    stage: Ranker, rerankers: dict[tuple[str, ...], Reranker], runs: Mapping[str, Run] | None = None
) -> Reranker:
    """Open the reranker of a stage, once."""
    names = (f"{name} {id(run)}" for name, run in (runs or {}).items())
    given = stage.model, stage.related or "", stage.dense or "", f"{stage.dense_trust}"
    key: tuple[str, ...] = ("ranker", *given, *names)
    if key not in rerankers:
        from relsent_ir.related.opening import load_related

        rerankers[key] = RankerReranker(
            stage.model,
            runs=runs,
            related=load_related(stage.related) if stage.related else None,
            dense=stage.dense,
            trusted=stage.dense_trust,
        )
    return rerankers[key]
