"""The cystic fibrosis collection.

References
----------
Shaw, Wood, Wood, Tibbo. The cystic fibrosis database: content and research opportunities.
Library and Information Science Research 13:347-366, 1991.
"""

from pathlib import Path

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.datasets.download import Checksum, Origin
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics
from relsent_ir.typing import Progress

NAME = "cystic-fibrosis"

RECORDS = {
    "cf74": (622_288, "fb516bbc255b9006513f7209da472bb425dcda6e553934a2f866654199afb91f"),
    "cf75": (777_202, "0edd97e57b3dd3449527363e1e5e10b794177558d0768fab75c57c3e25fb8a1b"),
    "cf76": (1_099_318, "0956b95d9970da4415d66ab127372f11b956d207be65266e80d2ed1607b6a546"),
    "cf77": (856_416, "e21cfc792fed41e5b71f007e72f9c1090d14ce71a73262a9a56082b953dea8e1"),
    "cf78": (694_259, "2f56423c11917044285847a854355b9ae97b1cea0e5a8e9f652f5034de8b278f"),
    "cf79": (879_859, "ed995f0108be7aa2166f6ccac75b730aa12f33e7f4dd8b8282a37645f7be9ef7"),
}
QUERIES = {"cfquery": (61_724, "141378399373c81f23d7d0782546f71e0bd773e3803382d1aa9e2c2e10501d88")}
"""Size and SHA-256 of each file of the collection."""


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch the files; write topics and qrels (a grade is the sum of the judges' scores)."""
    folder = output / "collections" / NAME
    originals = output / "collections" / "originals" / NAME
    places = {name: folder / name for name in RECORDS}
    places |= {name: originals / name for name in QUERIES}
    sums = {name: Checksum("sha256", of, size) for name, (size, of) in (RECORDS | QUERIES).items()}
    new = origin.bring_all([(name, path, sums[name]) for name, path in places.items()], tick)

    queries = originals / "cfquery"
    topics = read_topics(queries, format="cystic-fibrosis")
    judged = write_judged(output, NAME, topics, read_cystic_fibrosis_qrels(queries))
    files = tuple(places[name] for name in RECORDS)
    return Fetched(NAME, folder, files, sum(new[: len(files)]), *judged)
