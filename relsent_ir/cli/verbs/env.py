"""``relsent-ir env``: the environment in which Pyserini's own searcher opens our indexes."""

import os
import shlex

import click

from relsent_ir.cli.command import Command


@click.command(cls=Command)
def command() -> None:
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
