# SPDX-License-Identifier: MIT
"""Players, evaluators, games and programs that several of the tests use."""
import os
import subprocess
import sys
import time

import numpy as np

import ludens

PATIENCE = 60.0  # seconds that a slow machine may take


class Greedy:
    """Wins at once where it can, in Python."""

    name = "greedy"

    def start(self, game, role, deadline):
        self.started = game.name

    def think(self, position, deadline):
        for move in position.legal_moves:
            after = position.state.play(move)
            if after.is_terminal and after.goals[position.role] == 100:
                return move
        return position.legal_moves[0]


def illegal(position, deadline):
    return "( mark 7 7 )"


def broken(position, deadline):
    raise KeyError("lost")


def late(position, deadline):
    time.sleep(max(0, deadline - time.monotonic()) + 0.3)
    return position.legal_moves[0]


class Centre:
    """Knows nothing of values, and likes one move of player 0."""

    def __init__(self, action):
        self.action = action
        self.sizes = []

    def evaluate(self, leaves):
        self.sizes.append(len(leaves))
        n, players = len(leaves), len(leaves.game.players)
        priors = np.ones(leaves.masks.shape)
        priors[:, self.action] = 20
        return np.full((n, players), 0.5), priors


def lines_of(program, patience=PATIENCE):
    """What a program prints that ends well. It is killed after `patience` seconds."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=patience, env=os.environ)
    if (done.returncode, done.stderr) != (0, ""):
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def learn(file, seed=1):
    """Writes knowledge of tic-tac-toe."""
    seconds = 0.3
    while not file.exists() and seconds < PATIENCE:
        subprocess.run([os.environ["LUDENS_PROGRAM"], "learn", "tic_tac_toe", "--seconds",
                        str(seconds), "--seed", str(seed), "--out", file], check=False, capture_output=True)
        seconds *= 2


def pigeons():
    """The text of a game with thirteen pigeons and twelve holes: a network of its rules would take
    hours."""
    holes = " ".join(f"(hole {hole})" for hole in range(12))
    pigeons = " ".join(f"(hole ?p{pigeon})" + "".join(
        f" (distinct ?p{before} ?p{pigeon})" for before in range(pigeon)) for pigeon in range(13))
    return ("(role r) (init (s 0)) (legal r go) (legal r stay) (goal r 50)"
            "(<= (next (s 0)) (does r stay)) (<= (next (s 1)) (does r go))"
            f"(<= housed (true (s 1)) {pigeons}) (<= terminal housed) {holes}")


COINS = 40


def many_coins():
    """Coins are flipped unseen, and shown but for the last one: what the role then knows fits one
    course of the match in 2^39, which no search finds. It guesses the last coin."""
    return ludens.Game.from_text("\n".join([
        "(role player) (role random) (side heads) (side tails) (init (step 0)) (goal random 0)",
        f"(last {COINS - 1}) (end {COINS})", *(f"(succ {i} {i + 1})" for i in range(COINS)),
        "(<= done (end ?n) (true (step ?n)))",
        "(<= (legal random (flip ?s)) (side ?s) (not done)) (<= (legal random noop) done)",
        "(<= (legal player noop) (not done)) (<= (legal player (guess ?s)) (side ?s) done)",
        "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))",
        "(<= (next (coin ?i ?s)) (true (step ?i)) (does random (flip ?s)))",
        "(<= (next (coin ?i ?s)) (true (coin ?i ?s)))",
        "(<= (sees player (coin ?i ?s)) (last ?n) (true (step ?n)) (true (coin ?i ?s)))",
        "(<= (next (guessed ?s)) (does player (guess ?s))) (<= terminal (true (guessed ?s)))",
        "(<= right (last ?n) (true (coin ?n ?s)) (true (guessed ?s)))",
        "(<= (goal player 100) right) (<= (goal player 0) (not right))"]))
