#!/usr/bin/env bash
# The browser of tests/web/test_browser.py: Debian's Chromium, where we may install packages. Without
# it those tests skip, and say so; RELSENT_BROWSER may name another Chromium.
set -eu
known=$(command -v chromium chromium-browser google-chrome | head -n 1 || true)
if [ -n "$known" ]; then
    echo "$known is there"
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "No Chromium, and no right to install one: as root, apt-get install chromium" >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
