# SPDX-License-Identifier: MIT
"""An agent of one's own against a strategy of the engine, with seats exchanged."""
import sys

import numpy as np

import ludens


class Rollouts:
    """Plays the move after which random games end best."""

    games = 2000

    def think(self, position: ludens.Position, deadline: float) -> str:
        state, role, moves = position.state, position.role, position.legal_moves
        others = [legal[0] for legal in state.legal_moves()]
        after = [state.play(others[:role] + [move] + others[role + 1:]) for move in moves]
        goals, _ = ludens.play_out(state.game, np.stack([s.bits for s in after]), self.games)
        return moves[int(goals[:, role].argmax())]


def main(game: str = "connect_four_small", rounds: int = 4, opponent: str = "auto",
         seconds: float = 0.3) -> float:
    tournament = ludens.Tournament([game], {"rollouts": Rollouts, opponent: opponent},
                                   rounds=rounds, play_clock=seconds)
    for match in tournament:
        print(f"{tournament.done} of {tournament.total}  {match}", flush=True)
    print(tournament)
    return next(s.mean for s in tournament.standings if s.name == "rollouts")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *sys.argv[3:4])
