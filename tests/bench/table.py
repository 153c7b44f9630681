#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the sliced machine's rates as a table, by processor time, so that a busy machine matters
little: `table.py BENCH GAMES RATES [TRIAL] [NAME...]`.

BENCH is the program ludens_bench, GAMES a folder of rulesheets, RATES a file with a table `game |
network | ...` and a sentence on OpenSpiel's games, TRIAL another reasoner, which is run as `TRIAL
FILE SECONDS` and prints `M steps/s=`; `-` for none. All run in turns, three times; the best of each
counts. The ratio of two threads to one is that of processor time, so it says what they cost each
other in caches and memory, not whether two processors were available.
"""
import json
import os
import re
import resource
import statistics
import subprocess
import sys

NAMES = """ticTacToe connectFour breakthrough breakthroughSmall reversi hex gomoku_15x15 checkers
englishDraughts chess_200 speedChess amazons_8x8 pentago chineseCheckers6 peg sudokuGrade1
sheepAndWolf biddingTicTacToe battle racetrackcorridor connectFourSimultaneous tictactoe_3d_6player
ttcc4_2player dotsAndBoxes kalaha_2009 cubicup max_knights eightPuzzle cylinder-checkers
tron_10x10""".split()
OPEN_SPIEL = {"ticTacToe": "tic_tac_toe", "connectFour": "connect_four",
              "breakthrough": "breakthrough 8x8"}
SECONDS, ROUNDS = 0.2, 3
UNIT = {"k": 1e-3, "M": 1}


def network_column(text):
    """Rates of the network column, in M steps/s."""
    row = r"\|\s*([\w-]+)\s*\|\s*([\d.]+) ([kM])\s*\|"
    return {m[1]: float(m[2]) * UNIT[m[3]] for m in re.finditer(row, text)}


def open_spiel_rate(text, name):
    """M moves/s of a hand-written game; None where there is none."""
    if name not in OPEN_SPIEL:
        return None
    found = re.search(OPEN_SPIEL[name].replace(" ", r"\s+") + r" ([\d.]+) ([kM])", text)
    return float(found[1]) * UNIT[found[2]] if found else None


def bench(program, machine, game, what):
    """The counters of the benchmarks whose names end as `what` says; none if refused."""
    command = [program, f"--benchmark_min_time={SECONDS}", "--benchmark_format=json",
               f"--benchmark_filter=({what})$", machine, game]
    out = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    if not out.strip():
        return {}
    return {b["name"].split("/", 2)[2]: b for b in json.loads(out)["benchmarks"]}


def millions(found, name, counter):
    return found[name][counter] / 1e6 if name in found else None


def run_trial(program, game, seconds):
    """Output and processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([program, game, str(seconds)], capture_output=True, text=True, timeout=600,
                         env=dict(os.environ, JIT="1", WAIT="32")).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def trial(program, game):
    """M steps/s by processor time; None where it gives up."""
    _, getting_ready = run_trial(program, game, 0)
    seconds = max(SECONDS, 8 * getting_ready)  # or the difference would be noise
    out, used = run_trial(program, game, seconds)
    rate = re.search(r"M steps/s= *([\d.]+)", out)
    if not rate:
        return None
    return float(rate[1]) * seconds / max(used - getting_ready, seconds / 20)


def best(values):
    return max((v for v in values if v is not None), default=None)


def ratio(a, b):
    return a / b if a and b else None


def measure(program, other, game):
    """The best of all rounds: playouts, the trial's, with AVX2, in each of two threads, expansion,
    and playouts one state at a time."""
    rounds = []
    for _ in range(ROUNDS):
        wide = bench(program, "sliced", game, "playouts/1|threads:2|expand")
        narrow = bench(program, "sliced:256", game, "playouts/1")
        scalar = bench(program, "scalar", game, "playouts/1")
        rounds.append((millions(wide, "playouts/1", "steps"),
                       trial(other, game) if other != "-" else None,
                       millions(narrow, "playouts/1", "steps"),
                       millions(wide, "playouts/threads:2", "steps"),
                       millions(wide, "expand", "best"),
                       millions(scalar, "playouts/1", "steps")))
    return tuple(map(best, zip(*rounds)))


def main(program, folder, rates, other="-", *names):
    with open(rates, encoding="utf-8") as file:
        text = file.read()
    network = network_column(text)
    ratios = {"trial": [], "network": [], "AVX2": [], "2 threads": [], "OpenSpiel": [],
              "scalar / network": []}
    print("| game | sliced | trial | / trial | / network | AVX2 | 2 threads | expand | OpenSpiel "
          "| scalar | / network |")
    print("|---" * 11 + "|")
    for name in names or NAMES:
        game = os.path.join(folder, name + ".kif")
        wide, theirs, narrow, two, expand, scalar = measure(program, other, game)
        two = ratio(two, wide)
        row = {"trial": ratio(wide, theirs), "network": ratio(wide, network.get(name)),
               "AVX2": ratio(narrow, wide), "2 threads": 2 * two if two else None,
               "OpenSpiel": ratio(wide, open_spiel_rate(text, name)),
               "scalar / network": ratio(scalar, network.get(name))}
        for key, value in row.items():
            ratios[key] += [value] if value else []
        cells = [wide, theirs, row["trial"], row["network"], row["AVX2"], row["2 threads"], expand,
                 row["OpenSpiel"], scalar, row["scalar / network"]]
        print(f"| {name} | " + " | ".join(f"{c:.3g}" if c else "-" for c in cells) + " |",
              flush=True)
    for key, values in ratios.items():
        if values:
            print(f"\n{key}: median {statistics.median(values):.3g}, lowest {min(values):.3g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
