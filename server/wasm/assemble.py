#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the module, its scripts and the games into one file of HTML that needs no other files."""
import argparse
import base64
import gzip
import json
import os
import re

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,"><title>Ludens</title>
<style>
%s</style></head>
<body>
<header><h1>Ludens</h1><p>a general game player</p></header>
<main></main>
<script type="application/json" id="data">%s</script>
"""
PAGE_SCRIPTS = ("board", "viewer", "input", "turn", "live", "program", "gamemaster", "manager", "page_seats",
                "local_matches", "rules_field", "seat_field", "tally", "alone")


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def is_open(rules):
    """Whether everybody sees everything; the page plays no other games. Comments may speak of what a role sees."""
    return not re.search(r"^[^;%]*\bsees\b", rules, re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--module", required=True, help="the glue of Emscripten, with the .wasm beside it")
    parser.add_argument("--scripts", required=True, help="folder of the pages' scripts")
    parser.add_argument("--games", nargs="+", required=True)
    options = parser.parse_args()

    with open(os.path.splitext(options.module)[0] + ".wasm", "rb") as file:
        module = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
    script = {name: read(options.scripts, name + ".js")
              for name in (*PAGE_SCRIPTS, "gamemaster_worker", "engine")}
    games = {os.path.splitext(os.path.basename(game))[0]: read(game) for game in sorted(options.games)}
    data = {
        "venue": "http://gamemaster.stanford.edu",
        "engine": read(options.module) + script["engine"],
        "worker": script["program"] + script["gamemaster_worker"],
        "module": module,
        "games": {name: rules for name, rules in games.items() if is_open(rules)},
    }
    # The data would end at the first `</script`, and be misread after a `<!--`.
    page = HEAD % (read(options.scripts, "page.css"), json.dumps(data).replace("<", "\\u003c"))
    for name in PAGE_SCRIPTS:
        page += "<script>\n" + script[name] + "</script>\n"
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(page + "</body></html>\n")
    print("%s: %.2f MB" % (options.out, len(page.encode()) / 1e6))


main()
