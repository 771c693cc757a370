"""Record in a ranker's or citation model's folder what its features mean in this version.

    python -m tools.record_columns relsent_ir/ranker/default

For a folder whose weights stay and whose ``columns`` in model.json are of another form, as after a
change of `relsent_ir.ranker.columns`. The features themselves must not have changed since the
weights were learned: runs tell (tests/regressions).
"""

import json
import sys
from pathlib import Path

from relsent_ir.citation.candidate_features import columns as citation_columns
from relsent_ir.ranker.columns import columns as ranker_columns


def main(folder: Path) -> None:
    """Write model.json again, all but ``columns`` as it was."""
    path = folder / "model.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    ranker = facts["kind"].startswith("ranker-")
    facts["columns"] = ranker_columns(facts["groups"]) if ranker else citation_columns()
    path.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
