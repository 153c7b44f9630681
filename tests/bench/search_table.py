#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how fast `mcts` searches, by processor time, so that a busy machine matters little, and how
much memory a node takes:

    search_table.py LUDENS GAMES_DIR [--seconds 2] [--threads 1] [--rounds 3] [NAME...]

An iteration is a descent, the four playouts of its leaf, all by chance, and a backup. Each game is searched from its
initial state on a machine that is ready; the median of the rounds counts.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess

NAMES = """connectFour breakthroughSmall pentago breakthrough reversi amazons_8x8 speedChess
englishDraughts hex gomoku_15x15 checkers chess_200 cubicup dotsAndBoxes ttcc4_2player
chineseCheckers6 biddingTicTacToe connectFourSimultaneous tron_10x10 kalaha_2009""".split()


def think(program, game, strategy, seconds):
    """The answer, what is said about it, and the processor time of all threads."""
    command = [program, "think", game, "--strategy", strategy, "--seconds", str(seconds), "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(run.stdout) if run.returncode == 0 else None, run.stderr, used


def search(program, game, strategy, seconds):
    """Iterations a second and bytes a node; None where there is no answer."""
    _, _, getting_ready = think(program, game, strategy, 0.001)
    answer, said, used = think(program, game, strategy, seconds)
    node = re.search(r"(\d+) bytes each", said)
    if answer is None or not node:
        return None
    return answer["iterations"] / max(used - getting_ready, 1e-3), int(node[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("games")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_intermixed_args()
    strategy = f"mcts:seed=1,machine=sliced,policy=uniform,threads={options.threads}"
    print("| game | iterations/s | bytes a node |\n|---|---|---|")
    sizes = []
    for name in options.names:
        game = os.path.join(options.games, name + ".kif")
        found = [search(options.program, game, strategy, options.seconds)
                 for _ in range(options.rounds)]
        if None in found:
            print(f"| {name} | - | - |", flush=True)
            continue
        rate = statistics.median(rate for rate, _ in found)
        sizes.append(statistics.median(size for _, size in found))
        print(f"| {name} | {rate:,.0f} | {sizes[-1]:.0f} |", flush=True)
    if sizes:
        print(f"\nbytes a node, median game: {statistics.median(sizes):.0f}")


if __name__ == "__main__":
    main()
