#!/usr/bin/env python3
"""Prints the sliced machine's rates as a table, by processor time, so that a busy machine matters
little: `table.py BENCH GAMES RATES [TRIAL] [NAME...]`.

BENCH is the program ludens_bench, GAMES a folder of rulesheets, RATES a file with a table `game |
network | ...`, TRIAL another reasoner, which is run as `TRIAL FILE SECONDS` and prints `M steps/s=`;
`-` for none. Both run in turns, three times; the best of each counts.
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
SECONDS, ROUNDS = 0.2, 3


def network_column(path):
    """Rates of the network column, in M steps/s."""
    unit = {"k": 1e-3, "M": 1}
    row = r"\|\s*([\w-]+)\s*\|\s*([\d.]+) ([kM])\s*\|"
    with open(path, encoding="utf-8") as file:
        return {m[1]: float(m[2]) * unit[m[3]] for m in re.finditer(row, file.read())}


def bench(program, machine, game):
    """M steps/s in playouts and M states/s in expansion; None where the machine refuses."""
    command = [program, f"--benchmark_min_time={SECONDS}", "--benchmark_format=json",
               "--benchmark_filter=(playouts/1|expand)$", machine, game]
    out = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    if not out.strip():
        return None, None
    found = {b["name"].split("/", 2)[2]: b for b in json.loads(out)["benchmarks"]}
    return found["playouts/1"]["steps"] / 1e6, found["expand"]["best"] / 1e6


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
    seconds = max(SECONDS, getting_ready)  # or the difference would be noise
    out, used = run_trial(program, game, seconds)
    rate = re.search(r"M steps/s= ([\d.]+)", out)
    if not rate:
        return None
    return float(rate[1]) * seconds / max(used - getting_ready, seconds / 20)


def best(values):
    return max((v for v in values if v is not None), default=None)


def main(program, folder, rates, other="-", *names):
    network = network_column(rates)
    ratios = {"trial": [], "network": [], "narrow": []}
    print("| game | sliced | trial | ratio | network | ratio | AVX2 | AVX2 / AVX-512 | expand |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names or NAMES:
        game = os.path.join(folder, name + ".kif")
        wide, narrow, theirs, expand = [], [], [], []
        for _ in range(ROUNDS):
            steps, states = bench(program, "sliced", game)
            wide.append(steps)
            expand.append(states)
            theirs.append(trial(other, game) if other != "-" else None)
            narrow.append(bench(program, "sliced:256", game)[0])
        wide, narrow, theirs, expand = map(best, (wide, narrow, theirs, expand))
        row = {"trial": (wide, theirs), "network": (wide, network.get(name)),
               "narrow": (narrow, wide)}
        for key, (a, b) in row.items():
            row[key] = a / b if a and b else None
            if row[key]:
                ratios[key].append(row[key])
        cells = [wide, theirs, row["trial"], network.get(name), row["network"], narrow,
                 row["narrow"], expand]
        print(f"| {name} | " + " | ".join(f"{c:.3g}" if c else "-" for c in cells) + " |",
              flush=True)
    for key, values in ratios.items():
        if values:
            print(f"\n{key}: median {statistics.median(values):.3g}, lowest {min(values):.3g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
