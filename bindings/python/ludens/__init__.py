# SPDX-License-Identifier: MIT
"""Any game in the Game Description Language, from Python.

    import ludens

    game = ludens.Game("connect_four")          # a bundled game, or a path to a rulesheet
    state = game.initial
    state = state.play("( drop 3 )")
    print(state)                                 # the board; in Jupyter, a picture

    env = ludens.VecEnv(game, 8192, seed=1)      # thousands of episodes at once
    observations, info = env.reset()
    observations, rewards, terminated, truncated, info = env.step(actions)

    ludens.search(state, seconds=1.0).move       # the best move that the engine finds
    ludens.solve(state).value                    # what the position is worth

    for match in ludens.Tournament([game], {"mine": MyPlayer, "mcts": "mcts:playouts=500"}):
        print(match)                                 # players are strategies, or written in Python
    with ludens.serve(MyPlayer) as server:           # hosts reach it at server.url
        ...

Goals are whole numbers from 0 to 100, as the rules give them; rewards of environments are floats,
by default from 0 to 1. Moves and facts are strings as hosts write them: `( mark 1 1 )`.
"""
import os as _os

# The bundled games that came with the package, unless the user names others.
_data = _os.path.join(_os.path.dirname(__file__), "data")
if not _os.environ.get("LUDENS_CONFIG") and _os.path.isdir(_os.path.join(_data, "games")):
    _os.environ["LUDENS_CONFIG"] = _data

from ._core import GameError, IllegalActionError, version as __version__  # noqa: E402
from .environment import Snapshot, Successors, VecEnv, expand, play_out  # noqa: E402
from .evaluator import Evaluator, Leaves  # noqa: E402
from .game import Board, Game, KnownTurn, State, bundled_games  # noqa: E402
from .match import Match, Record, read_records  # noqa: E402
from .player import (  # noqa: E402
    Choice, MoveValue, Player, Solution, search, solve, strategies)
from .server import Server, serve  # noqa: E402
from .thinker import Position, Thinker  # noqa: E402
from .tournament import PlayedMatch, Standing, Tournament  # noqa: E402

__all__ = [
    "Board", "Choice", "Evaluator", "Game", "GameError", "IllegalActionError", "KnownTurn", "Leaves", "Match",
    "MoveValue", "PlayedMatch", "Player", "Position", "Record", "Server", "Snapshot", "Solution",
    "Standing", "State", "Successors", "Thinker", "Tournament", "VecEnv", "__version__",
    "bundled_games", "expand", "play_out", "read_records", "search", "serve", "solve", "strategies",
]
