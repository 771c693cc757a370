"""Build the Java helper: ``python tools/helper_jar.py [JAR]``, with javac 11 or newer.

Run it with the Pyserini of constraints.txt. The jar names the sources and the compiler that it was
made from; its entries have no dates, so that one compiler always gives the same bytes.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from relsent_ir.files import atomic_bytes
from relsent_ir.lucene.jvm import anserini_jar, helper_jar

SOURCES = Path(__file__).parents[1] / "relsent_ir" / "lucene" / "java"
DIGEST = "META-INF/sources.sha256"
COMPILER = "META-INF/javac"
JAR_EPOCH = (1980, 1, 1, 0, 0, 0)


def sources_digest() -> str:
    """Compute one checksum over the Java sources."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.java")):
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def compiler() -> str:
    """Return the output of ``javac -version``."""
    ran = subprocess.run(["javac", "-version"], check=True, capture_output=True, text=True)
    return (ran.stdout or ran.stderr).strip()


def build(jar: Path) -> None:
    """Compile the sources into `jar`."""
    with tempfile.TemporaryDirectory() as folder:
        sources = sorted(str(path) for path in SOURCES.rglob("*.java"))
        command = ["javac", "--release", "11", "-Xlint:all,-classfile,-path,-options", "-Werror"]
        subprocess.run(
            [*command, "-g:none", "-cp", str(anserini_jar()), "-d", folder, *sources], check=True
        )
        entries = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in Path(folder).rglob("*.class")
        }
    entries |= {DIGEST: sources_digest().encode(), COMPILER: compiler().encode()}
    with atomic_bytes(jar) as file, zipfile.ZipFile(file, "w") as archive:
        for name, content in sorted(entries.items()):
            archive.writestr(zipfile.ZipInfo(name, JAR_EPOCH), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else helper_jar())
