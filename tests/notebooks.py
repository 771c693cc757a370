"""A notebook's cells without Jupyter: ``python -m tests.notebooks FILE`` puts outputs in."""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def outputs(notebook: dict[str, Any]) -> list[str]:
    """Run the cells of code in their order; give what each prints, and its last value."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                if value is not None:
                    sys.stdout.write(f"{value}\n")
        found.append(printed.getvalue())
    return found


def stored(notebook: dict[str, Any]) -> list[str]:
    """Give the output that each cell of code has in the file."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return ["".join(text for out in cell["outputs"] for text in out["text"]) for cell in cells]


def main(path: Path) -> None:
    """Run a notebook in the current folder, and write it with its outputs."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    texts = iter(outputs(notebook))
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            text = next(texts).splitlines(keepends=True)
            out = {"name": "stdout", "output_type": "stream", "text": text}
            cell["execution_count"], cell["outputs"] = number, [out] if text else []
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
