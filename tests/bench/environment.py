# SPDX-License-Identifier: MIT
"""Rates of environments from Python:

    PYTHONPATH=build/release/python /usr/bin/python3 tests/bench/environment.py GAME... [--slots 8192]
        [--threads 1] [--rounds 5]

GAME is a bundled game or a rulesheet. Actions are random legal ones, given by the caller: a round of
64 steps is repeated from the start with the same seed, and the best round counts. Columns: ms to
load a game and take the first step; M joint steps/s with states and masks as bits, and with boards
as uint8 and masks as bits; random steps and whole playouts inside; microseconds of a State.play.
"""
import argparse
import time

import numpy as np

import ludens

ROUND = 64
# Of the processor, as other programs may run; with several threads, that on the wall.
clock = time.process_time


def best_rate(env, rounds, run):
    best = 0.0
    for _ in range(rounds):
        env.reset(1)
        before, begin = env.total_steps, clock()
        run()
        best = max(best, (env.total_steps - before) / (clock() - begin))
    return best / 1e6


def rates(game, options, observation):
    env = ludens.VecEnv(game, options.slots, seed=1, threads=options.threads,
                        autoreset="next_step", observation=observation, mask="bits")
    env.reset(1)
    actions = []
    for _ in range(ROUND):
        actions.append(env.sample())
        env.step(actions[-1])

    def given():
        for row in actions:
            env.step(row)
    return (best_rate(env, options.rounds, given),
            best_rate(env, options.rounds, lambda: env.roll(ROUND)))


def playouts(game, options):
    start, best = np.stack([game.initial.bits]), 0.0
    for _ in range(options.rounds):
        begin = clock()
        _, steps = ludens.play_out(game, start, 100_000)
        best = max(best, steps / (clock() - begin))
    return best / 1e6


def play_time(game, rounds):
    state, best = game.initial, float("inf")
    joint = [moves[0] for moves in state.legal_moves()]
    if game.random_role is None and not state.is_terminal:
        for _ in range(rounds):
            begin = clock()
            for _ in range(5000):
                state.play(joint)
            best = min(best, (clock() - begin) / 5000)
    return best * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--slots", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    global clock
    if options.threads > 1:
        clock = time.perf_counter
    print("| game | load, ms | bits | board | rolled | playouts | play, us |")
    print("|---|---|---|---|---|---|---|")
    for name in options.games:
        begin = clock()
        game = ludens.Game(name)
        with ludens.VecEnv(game, 1) as env:
            env.step(env.sample())
        load = (clock() - begin) * 1e3
        bits, rolled = rates(game, options, "bits")
        board = f"{rates(game, options, 'board:uint8')[0]:.1f}" if game.board else "-"
        print(f"| {game.name} | {load:.0f} | {bits:.1f} | {board} | {rolled:.1f} | "
              f"{playouts(game, options):.1f} | {play_time(game, options.rounds):.2f} |", flush=True)


if __name__ == "__main__":
    main()
