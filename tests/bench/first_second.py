#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many iterations are made before the first second after START is over, on games that were
never seen:

    first_second.py LUDENS GAMES_DIR [--step 1]

The program is started again for each game. What it takes until the network is ready is known from
the time of the process; from then on the search goes on at the rate that `think` shows; until then,
or for the whole second, at that of the interpreter, as a player does.
"""
import argparse
import glob
import json
import os
import statistics
import subprocess
import time


def think(program, game, machine, seconds, limit):
    """Iterations a second, and the seconds before the search; None if there are none."""
    command = [program, "think", game, "--strategy", f"mcts:seed=1,machine={machine}",
               "--seconds", str(seconds), "--json"]
    begin = time.monotonic()
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    whole = time.monotonic() - begin
    if run.returncode != 0:
        return None
    answer = json.loads(run.stdout)
    # A game that is solved at once is not searched on.
    spent = max(answer["seconds"], 1e-6)
    return answer["iterations"] / spent, max(0.0, whole - answer["seconds"]), answer["exact"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("games")
    parser.add_argument("--step", type=int, default=1, help="take one game in so many")
    options = parser.parse_intermixed_args()
    counts, solved = [], 0
    for game in sorted(glob.glob(os.path.join(options.games, "*.kif")))[:: options.step]:
        slow = think(options.program, game, "interpreter", 0.5, 5)
        fast = think(options.program, game, "auto", 0.3, 5)
        if (slow and slow[2]) or (fast and fast[2]):
            solved += 1
            continue
        ready = min(1.0, fast[1]) if fast else 1.0
        count = (slow[0] * ready if slow else 0) + (fast[0] * (1 - ready) if fast else 0)
        counts.append(count)
        print(f"{os.path.basename(game)[:-4]} {count:,.0f} (ready after {ready:.2f} s)", flush=True)
    if counts:
        print(f"\n{len(counts)} games, {solved} more solved at once; median "
              f"{statistics.median(counts):,.0f}, least {min(counts):,.0f}, at least 10,000 in "
              f"{sum(c >= 10_000 for c in counts) / len(counts):.0%}")


if __name__ == "__main__":
    main()
