"""Small models of every kind, and what is done with one that was loaded."""

import json
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from recipes.answers.training import train
from relsent_ir import models
from relsent_ir.answers.abstracts import ABSTRACT_NAMES, query_words
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Taggers, pose
from relsent_ir.errors import RelsentError
from relsent_ir.models import save_folder
from relsent_ir.models.registry import Storable
from relsent_ir.moves import default_model
from relsent_ir.related import score_pairs
from relsent_ir.related.associations import Associations
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.huber_plus import HuberPlusModel, Scaling
from relsent_ir.related.measures import MEASURES, Knowledge
from relsent_ir.related.vectors import count_parts
from relsent_ir.related.weights import WeightModel
from relsent_ir.relations.describing import FeatureSettings, describe
from relsent_ir.relations.ranker import Learned, RelationRanker
from tests.answers.conftest import DRUGS, asked, invented
from tests.fuzzing.mutation import crafted, mutated
from tests.relations.conftest import candidate_of

TEXTS: Final = ("Mice were given insulin daily.", "Insulin fed mice, not rats.", "", "Rats ran.")
CHANCE: Final = np.random.default_rng(0)


def _weights(name: str) -> WeightModel:
    lexicon = Lexicon.of({word for text in TEXTS for word in text.lower().strip(".").split()})
    both, one = CHANCE.normal(size=(2, len(lexicon)))
    made = WeightModel(name, lexicon, both, one, 0.1, ("the",), {})
    made.calibration = Calibration(0.5, -2.0, 40, np.array([0.5, 1.0]), 9.0)
    return made


def _huber_plus() -> HuberPlusModel:
    sparse = _weights("huber")
    sentences = Sentences.from_texts(TEXTS, ("the",))
    lexicon, n = sentences.lexicon, len(sentences.lexicon.words)
    sparse = sparse.carried_over(lexicon)
    starts, others = np.arange(n + 1), ((np.arange(n) + 1) % n).astype(np.int32)
    vectors = CHANCE.normal(size=(n, 3)).astype(np.float16)
    knowledge = Knowledge(
        Statistics.collect(sentences, np.arange(len(TEXTS))),
        Associations(starts, others, np.full(n, 0.5, dtype=np.float16)),
        vectors,
        CHANCE.normal(size=(count_parts(lexicon), 3)).astype(np.float16),
    )
    scaling = Scaling.fit(CHANCE.normal(size=(9, len(MEASURES))))
    dense = CHANCE.normal(size=2 * len(MEASURES))
    return HuberPlusModel(sparse, np.array([0.5, 1.0]), knowledge, scaling, dense, {})


def _answers() -> AnswerModel:
    questions = [q for n, drug in enumerate(DRUGS) for q in asked(invented(n, drug), drug)]
    made = train(pose(questions, Taggers(default_model())))
    made.abstracts = np.tile(np.linspace(-1.0, 1.0, len(ABSTRACT_NAMES) + 2), (3, 1))
    return made


MAKERS: Final[Mapping[str, Callable[[], Storable]]] = {
    "bayes": lambda: _weights("bayes"),
    "huber": lambda: _weights("huber"),
    "huber-plus": _huber_plus,
    "answers-linear": _answers,
    "moves-crf": lambda: models.default("moves"),
    "relations": lambda: RelationRanker(
        models.default("relations").parser,
        models.default("relations").settings,
        Learned(dict(list(models.default("relations").learned.weights.items())[:50]), 1.0),
    ),
    "statements": lambda: models.default("statements"),
    "tagger": lambda: models.default("tagger"),
    "chunker": lambda: models.default("chunker"),
    "ranker-linear": lambda: models.default("ranker"),
}
"""A model of every kind."""


@cache
def made(kind: str) -> Storable:
    """Give the model of a kind."""
    return MAKERS[kind]()


def use(family: str, model: Any) -> None:
    """Do with a model what its verbs do; its numbers must be numbers."""
    found: Any = 0.0
    if family == "related":
        found = score_pairs(model, [(TEXTS[0], TEXTS[1]), ("", TEXTS[3])])
        if model.calibration:
            found = [*found, *model.calibration.probability(found)]
    elif family == "answers":
        record = invented(1, "murinol")
        (tagged,) = (posed.tagged for posed in pose(asked(record, "murinol")[:1], _taggers()))
        judged = model.judge(parse("Does murinol change weight?"), record.title, tagged)
        about = model.about(
            query_words(parse("Does murinol help?"), model.vectors), record, tagged, judged, 0.5
        )
        found = [*judged.scores, *judged.probabilities, *about]
    elif family == "moves":
        found = [score for _, score in model.predict("Mice", ["We fed mice.", "Mice died."])]
    elif family == "relations":
        text = "Abc1 activates Xyz2 in liver cells."
        found = model.score([candidate_of(text, "Abc1", "Xyz2")])
    elif family == "statements":
        candidate = candidate_of("Abc1 may not bind Xyz2.", "Abc1", "Xyz2")
        (described,) = describe([candidate], model.parser, FeatureSettings())
        found = model.read(described).asserted
    elif family == "ranker":
        features = np.ones((2, len(model.features)))
        found = [[features @ of, *(features * of).T] for of in model.learned.values()]
    elif family == "tagger":
        model.tag([["Mice", "ran", "."], []])
    else:
        model.chunk([["Mice", "ran"]], [["NNS", "VBD"]])
    assert np.isfinite(np.asarray(found, dtype=np.float64)).all()


@cache
def _taggers() -> Taggers:
    return Taggers(default_model())


def load_strange(folder: Path, kind: str, rng: Random) -> str:
    """Load and use a model of a stranger: files damaged, holes of gigabytes, facts and arrays."""
    way = rng.randrange(4)
    if way == 0:
        return load_crafted(folder, kind, rng)
    model = made(kind)
    facts, arrays = model.to_stored()
    names = sorted(arrays)
    texts = [name for name in names if arrays[name].dtype == np.uint8]  # CRFsuite's file
    if way == 1 and texts:
        name = rng.choice(texts)
        data = mutated(arrays[name].tobytes(), rng)
        arrays = {**arrays, name: np.frombuffer(data, np.uint8)}
    if folder.exists():
        shutil.rmtree(folder)
    save_folder(folder, kind, facts, arrays)
    if way == 2:
        file = rng.choice(sorted(folder.iterdir()))
        file.write_bytes(mutated(file.read_bytes(), rng))
    elif way == 3:
        name = rng.choice(names)
        make_hole(folder, name, rng.choice((1 << 20, 1 << 30, 1 << 33)) // arrays[name].itemsize)
    try:
        use(model.family, models.load(folder, model.family))
    except RelsentError:
        return "refused"
    return "read"


def make_hole(folder: Path, name: str, length: int) -> None:
    """Say of an array of a model that it is long; its file is a hole."""
    about = json.loads((folder / "model.json").read_text())
    dtype = np.dtype(about["arrays"][name][0])
    with (folder / f"{name}.npy").open("wb") as file:
        header = {"descr": dtype.str, "fortran_order": False, "shape": (length,)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + length * dtype.itemsize)
    about["arrays"][name][1] = [length]
    del about["checksums"]
    (folder / "model.json").write_text(json.dumps(about))


def load_crafted(folder: Path, kind: str, rng: Random) -> str:
    """Load and use a model with something changed; ``refused`` or ``read``."""
    model = made(kind)
    facts, arrays = model.to_stored()
    if kind == "moves-crf":  # CRFsuite's file itself: tests/moves/test_crf_file.py
        arrays = {**arrays, "other": np.arange(3)}
    told, parts = crafted(facts, arrays, rng)
    save_folder(folder, kind, told, parts)
    try:
        use(model.family, models.load(folder, model.family))
    except RelsentError:
        return "refused"
    return "read"
