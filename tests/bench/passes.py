#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gates of two inputs behind each pass, and what the passes take.

passes.py LUDENS GAME.kif... prints a table in Markdown; passes that change nothing leave a gap.
"""

import json
import pathlib
import subprocess
import sys


def stages(ludens, game):
    command = [ludens, "analyze", game, "--playouts", "1", "--states", "1", "--seconds", "60", "--json"]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    return json.loads(printed)["network"]["stages"]


def main(ludens, games):
    rows = []
    for game in games:
        networks = [s for s in stages(ludens, game) if "two_input_gates" in s]
        rows.append((pathlib.Path(game).stem, networks))
    names = [s["pass"] for s in rows[0][1] if s["pass"][0] != "("]  # what passes need, not a pass
    print("| game | " + " | ".join(names) + " | passes, ms |")
    print("|---" * (len(names) + 2) + "|")
    for game, networks in rows:
        cells, before = [], None
        for s in networks:
            if s["pass"] in names:
                cells.append("" if s["two_input_gates"] == before else str(s["two_input_gates"]))
            before = s["two_input_gates"]
        took = sum(s["ms"] for s in networks[1:])
        print(f"| {game} | " + " | ".join(cells) + f" | {took:.0f} |")


main(sys.argv[1], sys.argv[2:])
