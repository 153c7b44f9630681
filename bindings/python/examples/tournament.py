# SPDX-License-Identifier: MIT
"""An agent of one's own against a strategy of the engine, with seats exchanged."""
import sys

import numpy as np

import ludens


class Rollouts:
    """Plays the move after which random games end best."""

    name = "rollouts"

    def __init__(self, games: int):
        self.games = games

    def think(self, state: ludens.State, role: int, deadline: float) -> str:
        moves = state.legal_moves(role)
        others = [legal[0] for legal in state.legal_moves()]
        after = [state.play(others[:role] + [move] + others[role + 1:]) for move in moves]
        goals, _ = ludens.play_out(state.game, np.stack([s.bits for s in after]), self.games)
        return moves[int(goals[:, role].argmax())]


def main(game_name: str = "connect_four_small", pairs: int = 4, opponent: str = "auto",
         seconds: float = 0.3) -> float:
    game = ludens.Game(game_name)
    points = []
    for seed in range(pairs):
        for seat in (0, 1):
            players = [opponent + (":" if ":" not in opponent else ",") + f"seed={seed + 1}"] * 2
            players[seat] = Rollouts(2000)
            match = ludens.Match(game, players, play_clock=seconds, seed=seed)
            record = match.play()
            assert not record.disagreements(game)
            points.append(match.goals[seat])
            print(f"match {len(points)}: rollouts as {game.roles[seat]}: {points[-1]}", flush=True)
    mean, error = np.mean(points), np.std(points) / np.sqrt(len(points))
    print(f"rollouts against {opponent}: {mean:.1f} of 100, standard error {error:.1f}")
    return float(mean)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *sys.argv[3:4])
