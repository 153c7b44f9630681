# SPDX-License-Identifier: MIT
"""A player that hosts of matches reach over the network."""
from __future__ import annotations

import atexit
import functools
import weakref
from typing import Optional

from . import _core
from .evaluator import batches_of
from .game import Game
from .match import AnyPlayer
from .player import Player
from .thinker import Asked, Call, Position, check_thinker, player_name

_running: weakref.WeakSet[Server] = weakref.WeakSet()


class Server:
    """A player that listens; `serve` makes one. Its clocks, machines and replies are those of the
    program `ludens serve`. `port` and `url` say where it is."""

    def __init__(self, player: AnyPlayer = "auto", *, port: int = 0, bind: str = "127.0.0.1",
                 name: str = "", matches: int = 1, margin: float = 1.0, ponder: bool = True,
                 threads: int = 1, memory_mb: int = 1024):
        if not 0 <= margin <= 600:
            raise ValueError("the margin is from 0 to 600 seconds")
        strategy, evaluate, make = "auto", None, None
        if isinstance(player, Player):
            strategy = player.strategy
            if player.evaluator is not None:
                evaluate = batches_of(player.evaluator)
        elif isinstance(player, str):
            strategy = player
        else:
            check_thinker(player)
            make = functools.partial(_Seat, player)
        self.name = name or (player if isinstance(player, str) else player_name(player))
        self._core = _core.ServerCore(strategy, evaluate, make, self.name, bind, port, threads,
                                      memory_mb << 20, matches, round(margin * 1000), ponder)
        self.port: int = self._core.port
        self.url = f"http://{f'[{bind}]' if ':' in bind else bind}:{self.port}"
        _running.add(self)

    def close(self) -> None:
        """Ends its searches and lets the port go. Closing it twice does nothing."""
        self._core.close()
        _running.discard(self)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ludens.Server {self.name} at {self.url}>"


class _Seat(Asked):
    """A player in Python, as the compiled module asks it."""

    def start(self, core: _core.GameCore, role: int, deadline: float) -> Call:  # type: ignore
        self._game = Game._of(core)
        return super().start(self._game, role, deadline)

    def think(self, new: _core.NewState, role: int, deadline: float) -> Call:  # type: ignore
        if self._game is None or self._game._core is not new.game:
            self._game = Game._of(new.game)
        return super().think(Position(self._game._state(new), role), deadline)

    _game: Optional[Game] = None


def serve(player: AnyPlayer = "auto", *, port: int = 0, bind: str = "127.0.0.1", name: str = "",
          matches: int = 1, margin: float = 1.0, ponder: bool = True, threads: int = 1,
          memory_mb: int = 1024) -> Server:
    """Serves a player to hosts of matches, until it is closed or Python ends.

        with ludens.serve(MyPlayer) as server:
            print(server.url)            # for a host: `ludens match GAME --player URL`

    player     what `Match` takes; a class is instantiated for each match
    port       0: a free one
    bind       the address that it listens on
    name       the name that it gives; otherwise that of the player
    matches    at the same time
    margin     seconds before the end of each clock at which the answer is sent
    ponder     whether searches go on while others think

    A player in Python that raises, is late or answers with an illegal move has the first legal move
    sent for it, and what it raised is logged as in `Match`; so has one that has a single legal move. Raises RuntimeError if it can't listen.
    """
    return Server(player, port=port, bind=bind, name=name, matches=matches, margin=margin,
                  ponder=ponder, threads=threads, memory_mb=memory_mb)


@atexit.register
def _close_all() -> None:
    for server in list(_running):
        server.close()
