#!/usr/bin/env bash
# OpenSearch for the tests, into .opensearch/: the jars that pom.xml names, and our launcher.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
target="$here/../../.opensearch"
if [ -f "$target/pom.xml" ] && cmp -s "$here/pom.xml" "$target/pom.xml" && [ "$target/classes" -nt "$here/Launcher.java" ]; then
    exit 0
fi
command -v mvn javac > /dev/null || { echo "OpenSearch needs Maven and a JDK 17" >&2; exit 1; }
rm -rf "$target"
mkdir -p "$target"
mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$target/lib"
javac -d "$target/classes" -cp "$target/lib/*" "$here/Launcher.java"
cp "$here/pom.xml" "$target/pom.xml"
