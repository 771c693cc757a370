"""Facts of a whole collection in a cluster, for models of related sentences.

Statistics and associations are learned where the index is, sent with it, and fetched once.
"""

from typing import Any, Final, cast

from relsent_ir.engines import engine_of
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Lexicon
from relsent_ir.related.formulas import FormulaModel, Statistics
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.stages import joined
from relsent_ir.related.store import PACKAGED, formula_model, load_related, open_store
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import NDArray

_PREFIX: Final = "associations_"


def knowledge(index: Index) -> dict[str, NDArray[Any]]:
    """Return the arrays that `formula_of` and `packed_model` read, of an index of sentences."""
    store = open_store(index, default_stopwords())
    model = joined(index, store, cast("HuberPlusModel", load_related(PACKAGED)))
    associations = model.knowledge.associations.to_arrays()
    return {
        **store.lexicon.to_arrays(),
        **store.statistics.to_arrays(),
        **{_PREFIX + name: array for name, array in associations.items()},
    }


def formula_of(name: str, index: Index) -> FormulaModel:
    """Make the model of a formula with the statistics of an index of sentences."""
    if not engine_of(index.folder):
        return formula_model(name, index)
    statistics, _ = _fetched(index)
    return FormulaModel(name, statistics, default_stopwords())


def packed_model(index: Index, model: HuberPlusModel) -> HuberPlusModel:
    """Add to a packed model the frequencies and associations of an index of sentences.

    Raises
    ------
    MismatchError
        If a cluster's are of other stop words.
    """
    if not engine_of(index.folder):
        return joined(index, open_store(index, model.stopwords), model)
    if model.stopwords != default_stopwords():
        problem = "this model has stop words of its own, whose frequencies a cluster lacks"
        raise MismatchError(problem, fix="rerank by the index that was exported")
    return model.joined(*_fetched(index))


def _fetched(index: Index) -> tuple[Statistics, Associations]:
    arrays = index.data("related")  # type: ignore[attr-defined]  # of a cluster alone
    statistics = Statistics.from_arrays(Lexicon.from_arrays(arrays), arrays)
    associations = {
        name.removeprefix(_PREFIX): array
        for name, array in arrays.items()
        if name.startswith(_PREFIX)
    }
    return statistics, Associations.from_arrays(associations)
