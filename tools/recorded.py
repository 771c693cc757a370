"""Record what commands print and write, and compare a recording with another.

``python tools/recorded.py record FOLDER`` runs every line of ``tools/commands.txt`` as a shell
command, in order and in one scratch folder, with the ``relsent-ir`` and ``python`` of ``--bin``
first on PATH. ``python tools/recorded.py compare BEFORE [AFTER]`` shows every difference of two
recordings; without AFTER it makes one. Its exit code is 1 if there are differences.

A line ``[cystic-fibrosis]`` begins commands that need this folder of $RELSENT_DATA and are skipped
without it; ``[]`` ends them. Indexes are not recorded, since Lucene gives segments random names.
Durations, dates, versions and the scratch folder are normalised.
"""

import argparse
import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

COMMANDS: Final = Path(__file__).with_name("commands.txt")
LIMIT: Final = 900
"""Seconds that one command may take."""
LINES: Final = 40
"""Lines of a difference that are shown."""
NORMALISED: Final = (
    (
        re.compile(r'("(?:date|created|version|built|python|numpy|[a-z_]+_version)": )"[^"]*"'),
        r"\1_",
    ),
    (re.compile(r'("(?:seconds|elapsed|[a-z_]+_seconds)": )[\d.e+-]+'), r"\1_"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT?[ ]?\d\d:\d\d(?::\d\d)?(?:[.+Z]\S*)?"), "_"),
    (re.compile(r"\b\d+(?:\.\d+)? (?:seconds|s|ms)\b"), "_ s"),
)


def commands(text: str, data: Path | None) -> Iterator[str]:
    """Yield the commands whose data there are."""
    skipped = False
    for line in text.splitlines():
        if re.fullmatch(r"\[[a-z-]*\]", line):
            need = line[1:-1]
            skipped = bool(need) and not (data and (data / need).is_dir())
        elif line and not line.startswith("#") and not skipped:
            yield line


def normalise(content: bytes, here: str) -> bytes:
    """Replace what differs between runs of the same command; binary content stays."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    text = text.replace(here, "<here>")
    for pattern, replacement in NORMALISED:
        text = pattern.sub(replacement, text)
    return text.encode()


def files(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return the time and size of each file in a folder, but for those of indexes and caches."""
    left_out = {"indexes", ".cache", "__pycache__"}
    listed = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not left_out.intersection(path.relative_to(folder).parts):
            status = path.stat()
            listed[path] = (status.st_mtime_ns, status.st_size)
    return listed


def run(command: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, bytes, bytes]:
    """Run a shell command; return its exit code, standard output and standard error."""
    try:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, b"", f"longer than {LIMIT} seconds".encode()
    return ran.returncode, ran.stdout, ran.stderr


def record(into: Path, programs: Path) -> None:
    """Run all commands with the programs of a folder, and write what they did."""
    blobs = into / "blobs"
    blobs.mkdir(parents=True)

    def stored(content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()[:20]
        (blobs / name).write_bytes(content)
        return name

    given = os.environ.get("RELSENT_DATA")
    listed = list(commands(COMMANDS.read_text(encoding="utf-8"), Path(given) if given else None))
    with tempfile.TemporaryDirectory() as name, (into / "commands.jsonl").open("w") as out:
        here = Path(name).resolve()
        environment = {
            **{key: os.environ[key] for key in ("HOME", "JAVA_HOME") if key in os.environ},
            **({"RELSENT_DATA": given} if given else {}),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(here / ".cache"),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }
        before = files(here)
        for n, command in enumerate(listed, start=1):
            if sys.stderr.isatty():
                print(f"\r{n} of {len(listed)}", end="", file=sys.stderr, flush=True)
            code, output, errors = run(command, here, environment)
            after = files(here)
            changed = [path for path, state in after.items() if before.get(path) != state]
            told = {
                "command": command,
                "code": code,
                "stdout": stored(normalise(output, str(here))),
                "stderr": stored(normalise(errors, str(here))),
                "files": {
                    str(path.relative_to(here)): stored(normalise(path.read_bytes(), str(here)))
                    for path in changed
                },
            }
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
            out.flush()
            before = after


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Read a recording: by command, with the number of its repetition, the names of blobs."""
    recorded: dict[str, dict[str, Any]] = {}
    for line in (folder / "commands.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        key = told["command"]
        while key in recorded:
            key += " (again)"
        parts = {"exit code": told["code"], "stdout": told["stdout"], "stderr": told["stderr"]}
        recorded[key] = parts | told["files"]
    return recorded


def difference(before: Path, after: Path, part: str, old: Any, new: Any) -> Iterator[str]:
    """Yield the lines that tell how a part of a recording differs."""
    if part == "exit code" or old is None or new is None:
        yield f"  {part}: {'absent' if old is None else old} -> {'absent' if new is None else new}"
        return
    pair = [
        (folder / "blobs" / name).read_bytes() for folder, name in ((before, old), (after, new))
    ]
    try:
        first, second = (content.decode().splitlines() for content in pair)
    except UnicodeDecodeError:
        yield f"  {part}: other bytes ({len(pair[0]):,} -> {len(pair[1]):,})"
        return
    yield f"  {part}:"
    for n, line in enumerate(difflib.unified_diff(first, second, n=0, lineterm="")):
        if n >= LINES:
            yield "    ..."
            return
        if n > 1:
            yield f"    {line[:400]}"


def compare(before: Path, after: Path) -> int:
    """Print every difference of two recordings; return how many commands differ."""
    old, new = read(before), read(after)
    differing = 0
    for command in [*old, *(command for command in new if command not in old)]:
        if command not in old or command not in new:
            differing += 1
            print(f"$ {command}\n  only {'before' if command in old else 'after'}")
            continue
        parts = [
            part
            for part in dict.fromkeys([*old[command], *new[command]])
            if old[command].get(part) != new[command].get(part)
        ]
        if parts:
            differing += 1
            print(f"$ {command}")
        for part in parts:
            pair = old[command].get(part), new[command].get(part)
            print("\n".join(difference(before, after, part, *pair)))
    print(f"{differing} of {len(old)} commands differ")
    return differing


def main(arguments: list[str] | None = None) -> int:
    """Record or compare; return the exit code."""
    parser = argparse.ArgumentParser(description="Record commands, or compare recordings.")
    parser.add_argument("--bin", type=Path, default=Path(sys.executable).parent, metavar="DIR")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("record").add_argument("folder", type=Path)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path, nargs="?")
    given = parser.parse_args(arguments)
    programs = given.bin.absolute()
    if given.verb == "record":
        record(given.folder, programs)
        return 0
    if given.after:
        return int(compare(given.before, given.after) > 0)
    with tempfile.TemporaryDirectory() as name:
        record(Path(name) / "after", programs)
        return int(compare(given.before, Path(name) / "after") > 0)


if __name__ == "__main__":
    sys.exit(main())
