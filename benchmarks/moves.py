"""Moves of sentences: seconds to train, sentences a second to tag, and what it adds to indexing.

Training and tagging use one thread, and are timed in seconds of the processor, so that other work
on the machine counts little; indexing is timed by the clock, by turns. Trained on the RCT training
split, tagged are the RCT validation split (labels hidden) and the abstracts collection, which is
indexed with and without moves.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.moves``.
"""

import time
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import best, data_file, medians
from relsent_ir import models
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import default_model, tag_record
from relsent_ir.moves.crf import CRF, FEATURES
from relsent_ir.moves.evaluation import evaluate
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import list_inputs, read_records

RECORDS = 10_000  # of the abstracts collection that are tagged


def main() -> None:
    """Print the table."""
    train, _ = read_abstracts([data_file("rct/rct-train.xml.gz")])
    held, census = read_abstracts([data_file("rct/rct-validation.xml.gz")])
    sentences = sum(len(abstract.sentences) for abstract in train)
    print(f"training: {len(train)} abstracts, {sentences} sentences")
    for name, features in FEATURES.items():
        start = time.process_time()
        model = CRF.train(train, features)
        seconds = time.process_time() - start
        speed = census.sentences / best(lambda m=model: evaluate(m, held))
        print(f"  {name:16} {seconds:7.1f} s to train   {speed:8.0f} sentences/s to tag")
    size = sum(file.stat().st_size for file in models.packaged("moves").iterdir())
    load = best(lambda: models.load(models.packaged("moves"), "moves"))
    print(f"the package's model: {size / 1e6:.1f} MB, loaded in {load * 1000:.0f} ms")

    files, _ = list_inputs([data_file("abstracts/abstracts.jsonl.gz")])
    records = list(islice(read_records(*files[0]), RECORDS))
    model = default_model()
    counts = [len(tag_record(model, record)) for record in records]
    speed = sum(counts) / best(lambda: [tag_record(model, record) for record in records])
    print(f"abstracts collection, first {RECORDS} records: {speed:.0f} sentences/s with headings")

    tagger = MoveTagger("benchmark", partial(tag_record, model))

    def build(chosen: MoveTagger | None) -> None:
        with TemporaryDirectory() as place:
            build_index(files, Path(place, "index"), tagger=chosen)

    seconds = medians({"without": lambda: build(None), "with": lambda: build(tagger)}, rounds=2)
    without, tagged = seconds["without"], seconds["with"]
    print(
        f"indexing the abstracts collection: {without.clock:.1f} s without moves, "
        f"{tagged.clock:.1f} s with them; of the processor {without.cpu:.1f} and "
        f"{tagged.cpu:.1f} s: tagging takes {100 * (1 - without.cpu / tagged.cpu):.0f} % of it"
    )


if __name__ == "__main__":
    main()
