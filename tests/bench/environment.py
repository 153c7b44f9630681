# SPDX-License-Identifier: MIT
"""Figures of the Python package, each by one command:

    export PYTHONPATH=build/release/python; bench="/usr/bin/python3 tests/bench/environment.py"
    $bench steps connect_four breakthrough GAMES/reversi.kif GAMES/chess_200.kif
    $bench rollouts connect_four breakthrough --program build/release/ludens
    $bench many                         # median over the 24 games of tests/bench/strength.xml
    $bench load GAME...; $bench play GAME...; $bench threads GAME...
    $bench open_spiel [--loop PROGRAM]  # where pyspiel can be imported

A game is a bundled one or a rulesheet. One thread, processor time, the best of `--rounds`: other
programs may run beside it.

steps       M joint steps/s of `--slots` slots, random legal actions given by the caller: states and
            masks out as bits; boards out as uint8 and masks as bits; their ratio
rollouts    M joint steps/s of whole random games inside, against `ludens speed`, in turns
many        as the first column of `steps`, and the median
load        milliseconds to load a rulesheet and take the first step
play        microseconds of a `State.play` with a move of each role: again and again from one state, and
            on the way through a random game, where each state is left at once
threads     steps on two threads against one, in turns, by the clock on the wall: for a quiet machine
open_spiel  OpenSpiel's games of the same rules, moves/s: its loop in Python (legal_actions,
            apply_action) against `VecEnv.step` with states and masks out; its loop in C++, which
            tests/bench/open_spiel_loop.cpp is, against whole games inside
"""
import argparse
import json
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

import ludens

ROUND = 64
clock = time.process_time  # of the processor
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Names of OpenSpiel, and ours. Othello passes automatically there.
OPEN_SPIEL = {"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four",
              "breakthrough": "breakthrough", "othello": "othello", "chess": "chess"}


def best_rate(env, rounds, run, now=clock):
    best = 0.0
    for _ in range(rounds):
        env.reset(1)
        before, begin = env.total_steps, now()
        run()
        best = max(best, (env.total_steps - before) / (now() - begin))
    return best / 1e6


def environment(game, options, observation="bits", threads=1):
    return ludens.VecEnv(game, options.slots, seed=1, threads=threads, autoreset="next_step",
                         observation=observation, mask="bits")


def drawn_actions(env):
    """Random legal ones of a round of steps from the start."""
    env.reset(1)
    actions = []
    for _ in range(ROUND):
        actions.append(env.sample())
        env.step(actions[-1])
    return actions


def step_rate(env, rounds, now=clock):
    actions = drawn_actions(env)

    def given():
        for row in actions:
            env.step(row)
    return best_rate(env, rounds, given, now)


def playout_rate(game, rounds):
    """Of calls that take a third of a second at least, so that what a call costs does not show."""
    start, best, count, made = np.stack([game.initial.bits]), 0.0, 10_000, 0
    while made < rounds:
        begin = clock()
        _, steps = ludens.play_out(game, start, count, seed=made + 1)
        took = clock() - begin
        if took < 0.33:
            count *= 4
            continue
        best, made = max(best, steps / took), made + 1
    return best / 1e6


def steps(options):
    print("| game | bits | boards | boards / bits |\n|---|---|---|---|")
    for name in options.games:
        game = ludens.Game(name)
        bits = step_rate(environment(game, options), options.rounds)
        boards, ratio = "-", "-"
        if game.board:
            rate = step_rate(environment(game, options, "board:uint8"), options.rounds)
            boards, ratio = f"{rate:.1f}", f"{rate / bits:.2f}"
        print(f"| {game.name} | {bits:.1f} | {boards} | {ratio} |", flush=True)


def rollouts(options):
    print("| game | inside | ludens speed | inside / ludens speed |\n|---|---|---|---|")
    for name in options.games:
        game, inside, speed = ludens.Game(name), 0.0, 0.0
        for _ in range(options.rounds):
            inside = max(inside, playout_rate(game, 1))
            speed = max(speed, speed_rate(options.program, name))
        print(f"| {game.name} | {inside:.1f} | {speed:.1f} | {inside / speed:.2f} |", flush=True)


def speed_rate(program, name):
    """By its clock on the wall, of which it had a share: steps of `ludens speed` a second of the
    processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    out = subprocess.run([program, "speed", name, "--seconds", "1", "--json"], check=True,
                         capture_output=True, text=True).stdout
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(out)["steps_per_s"] * wall / used / 1e6


def many(options):
    folder = ROOT / "tests/bench"
    names = re.findall(r"<game[^>]*>(.*?)</game>", (folder / "strength.xml").read_text())
    rates = []
    for name in names:
        file = (folder / name).resolve()
        if not file.exists():
            sys.exit(f"{file} is not there: the public rulesheets lie beside the project")
        game = ludens.Game(file)
        rates.append(step_rate(environment(game, options), options.rounds))
        print(f"| {game.name} | {rates[-1]:.1f} |", flush=True)
    print(f"median of {len(rates)}: {statistics.median(rates):.1f} M steps/s")


def load(options):
    took = []
    for name in options.games:
        times = []
        for _ in range(options.rounds):
            begin = clock()
            with ludens.VecEnv(ludens.Game(name), 1) as env:
                env.step(env.sample())
            times.append((clock() - begin) * 1e3)
        took.append(min(times))
        print(f"| {pathlib.Path(name).stem} | {took[-1]:.1f} |", flush=True)
    print(f"median of {len(took)}: {statistics.median(took):.1f} ms")


def play(options):
    print("| game | from one state | through a game |\n|---|---|---|")
    for name in options.games:
        game = ludens.Game(name)
        states, joints = random_game(game)
        first, joint = states[0], joints[0]
        best = along = float("inf")
        for _ in range(options.rounds):
            begin = clock()
            for _ in range(5000):
                first.play(joint)
            best = min(best, (clock() - begin) / 5000)
            repeats = max(1, 5000 // len(joints))
            begin = clock()
            for _ in range(repeats):
                state = first
                for joint_move in joints:
                    state = state.play(joint_move)
            along = min(along, (clock() - begin) / (repeats * len(joints)))
        print(f"| {game.name} | {best * 1e6:.2f} | {along * 1e6:.2f} |", flush=True)


def random_game(game):
    draw = random.Random(1)
    states, joints = [game.initial], []
    while not states[-1].is_terminal and len(joints) < 500:
        joints.append([draw.choice(moves) for moves in states[-1].legal_moves()])
        states.append(states[-1].play(joints[-1]))
    return states, joints


def threads(options):
    print("| game | one | two | two / one |\n|---|---|---|---|")
    for name in options.games:
        game = ludens.Game(name)
        envs = {n: environment(game, options, threads=n) for n in (1, 2)}
        best = dict.fromkeys(envs, 0.0)
        for _ in range(options.rounds):
            for n, env in envs.items():
                best[n] = max(best[n], step_rate(env, 1, time.perf_counter))
        print(f"| {game.name} | {best[1]:.1f} | {best[2]:.1f} | {best[2] / best[1]:.2f} |", flush=True)


def open_spiel(options):
    try:
        import pyspiel
    except ImportError:
        print("skipped: pyspiel can't be imported")
        return
    own = {}
    if options.loop:
        out = subprocess.run([options.loop, *OPEN_SPIEL], check=True, capture_output=True, text=True)
        own = {name: float(rate) for name, rate in
               (line.split() for line in out.stdout.splitlines())}
    print("| game | its Python, M/s | VecEnv.step | times | its C++ | inside | times |\n"
          "|---|---|---|---|---|---|---|")
    for theirs, ours in OPEN_SPIEL.items():
        game, python = ludens.Game(ours), 0.0
        stepped = 0.0
        for _ in range(options.rounds):
            python = max(python, spiel_rate(pyspiel.load_game(theirs)))
            stepped = max(stepped, step_rate(environment(game, options), 1))
        row = f"| {theirs} | {python:.3f} | {stepped:.1f} | {stepped / python:.0f} |"
        if theirs in own:
            inside, cpp = playout_rate(game, options.rounds), own[theirs] / 1e6
            row += f" {cpp:.2f} | {inside:.1f} | {inside / cpp:.0f} |"
        print(row, flush=True)


def spiel_rate(game, seconds=0.5):
    draw, moves, begin = random.Random(1), 0, clock()
    while clock() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            moves += 1
    return moves / (clock() - begin) / 1e6


def main():
    figures = {call.__name__: call for call in (steps, rollouts, many, load, play, threads, open_spiel)}
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=figures)
    parser.add_argument("games", nargs="*", default=["connect_four", "breakthrough"])
    parser.add_argument("--slots", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", default=str(ROOT / "build/release/ludens"))
    parser.add_argument("--loop", help="open_spiel_loop, built with OpenSpiel")
    options = parser.parse_args()
    figures[options.figure](options)


if __name__ == "__main__":
    main()
