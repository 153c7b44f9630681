#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a second thread is worth to `mcts`, from the initial state:

    threads.py LUDENS GAME.kif... [--seconds 2] [--rounds 3]

`in time` compares iterations in equal time: those of two threads by those of one. As a larger tree
costs more a node, whatever the number of threads, `at work` compares times for equal work: that of
one thread for as many iterations as two made, by theirs. Both are medians of the rounds, in which
the runs take turns.
"""
import argparse
import json
import os
import statistics
import subprocess

PLAYOUTS_AN_ITERATION = 4  # the default of `mcts`


def think(program, game, seconds, options):
    """Iterations, and the seconds they took."""
    command = [program, "think", game, "--strategy", f"mcts:policy=uniform,{options}",
               "--seconds", str(seconds), "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return answer["iterations"], answer["seconds"]


def measure(program, game, seconds):
    """Iterations of one thread, those of two, and the seconds of one for those of two."""
    one, _ = think(program, game, seconds, "threads=1")
    two, spent = think(program, game, seconds, "threads=2")
    playouts = two * PLAYOUTS_AN_ITERATION
    _, alone = think(program, game, 10 * seconds, f"threads=1,playouts={playouts}")
    return one, two, alone / spent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_intermixed_args()
    print(f"{'game':22} {'one, k/s':>9} {'two, k/s':>9} {'in time':>8} {'at work':>8}")
    in_time, at_work = [], []
    for game in options.games:
        rounds = [measure(options.program, game, options.seconds) for _ in range(options.rounds)]
        in_time.append(statistics.median(two / one for one, two, _ in rounds))
        at_work.append(statistics.median(speedup for _, _, speedup in rounds))
        thousands = [statistics.median(r[i] for r in rounds) / options.seconds / 1000
                     for i in (0, 1)]
        print(f"{os.path.basename(game)[:-4]:22} {thousands[0]:9.1f} {thousands[1]:9.1f} "
              f"{in_time[-1]:8.2f} {at_work[-1]:8.2f}", flush=True)
    for name, values in (("in time", in_time), ("at work", at_work)):
        print(f"{name}: median {statistics.median(values):.2f}, lowest {min(values):.2f}")


if __name__ == "__main__":
    main()
