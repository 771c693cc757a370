"""Write the facts of models' folders again, as this version saves them; their weights stay.

    python -m tools.record_facts relsent_ir/ranker/default

A folder without the text form of its method gets it. ``columns``, the meaning of the features of a
ranker, is written again where a change of `relsent_ir.ranker.columns` gave it
another form. The features themselves must not have changed since the weights were learned: runs
tell (tests/regressions).
"""

import json
import sys
from pathlib import Path

from relsent_ir.errors import MismatchError
from relsent_ir.models import KINDS, check_columns, load_folder, plugins
from relsent_ir.models.registry import method_text
from relsent_ir.ranker.columns import TOLERANCE, columns


def main(folder: Path) -> None:
    """Write model.json again, all but ``columns`` and ``method`` as it was."""
    stored = load_folder(folder)
    facts = stored.facts
    family = plugins(KINDS)[stored.kind].load().family
    if family == "ranker":
        current = columns(facts["groups"])
        try:
            check_columns(stored, current, TOLERANCE)
        except MismatchError:
            facts["columns"] = current
    facts.setdefault("method", method_text(family))
    last = {name: facts.pop(name) for name in ("arrays", "checksums") if name in facts}
    text = json.dumps(facts | last, ensure_ascii=False, indent=1)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(Path(name))
