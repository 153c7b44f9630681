# SPDX-License-Identifier: MIT
"""Players written in Python, and the clock that they are asked under."""
from __future__ import annotations

import dataclasses
import inspect
import logging
import threading
import traceback
from typing import Any, Callable, Optional, Protocol, Union

from .game import Game, KnownTurn, State

_log = logging.getLogger("ludens")


@dataclasses.dataclass(frozen=True)
class Position:
    """Where a move must be chosen, and for which role.

    In a game of hidden information `state` is one that fits what the role knows, and need not be
    the true one.
    """

    state: State
    role: int  # index into `game.roles`

    @property
    def known(self) -> Optional[list[KnownTurn]]:
        """The role's own moves and percepts, turn by turn; None if the rules hide nothing."""
        return self.state.knowledge(self.role)

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def legal_moves(self) -> list[str]:
        """The moves that the role may make."""
        return self.state.legal_moves(self.role)


class Thinker(Protocol):
    """A player in Python: `think` returns a legal move of the role, before the deadline.

    `deadline` is a point of `time.monotonic()`. An optional `start(game, role, deadline)` is called
    once before the match, but not where a host leaves no time for it. Each call is made on a thread
    of its own; one that continues after its deadline is abandoned.
    """

    def think(self, position: Position, deadline: float) -> str: ...


# A class is instantiated for each match.
AnyThinker = Union[Thinker, type, Callable[[Position, float], str]]


def player_name(player: Any) -> str:
    """`name` if the player has one, otherwise that of its class or function."""
    return str(getattr(player, "name", None) or getattr(player, "__name__", None)
               or type(player).__name__)


def check_thinker(player: Any) -> None:
    """TypeError if it can't be asked for a move: it has no `think(position, deadline)` and is no
    function of this form. An object that is made for each match is known by its class alone."""
    think = getattr(player, "think", None if isinstance(player, type) else player)
    if not callable(think):
        raise TypeError(f"{player!r} is not a player: a strategy by name, a ludens.Player, or what "
                        "has think(position, deadline) is one")
    itself = [None] if _needs_an_object(player) else []
    try:
        inspect.signature(think).bind(*itself, None, 0.0)
    except TypeError as problem:
        raise TypeError(f"the player {player_name(player)} can't be asked for think(position, "
                        f"deadline): {problem}") from None
    except ValueError:  # a builtin may have no signature
        pass


def _needs_an_object(player: Any) -> bool:
    """Whether `think` of this class takes the object first."""
    return isinstance(player, type) and not isinstance(
        inspect.getattr_static(player, "think"), (staticmethod, classmethod))


# What players have raised and has been told: the types, and the files and lines.
Told = set


def tell(player: Any, error: BaseException, told: Told) -> None:
    """Logs what a player raised with its traceback, the first time that it comes from there."""
    frames = traceback.extract_tb(error.__traceback__)
    place = (type(error), *((frames[-1].filename, frames[-1].lineno) if frames else ()))
    if place not in told:
        told.add(place)
        _log.error("the player %s raised %s", player_name(player), type(error).__name__,
                   exc_info=error)


class Call:
    """A call on a thread of its own, which can be abandoned. What it raises is given to `failed`
    as well, on that thread."""

    def __init__(self, call: Callable[[], Any], failed: Callable[[BaseException], None]):
        self._done = threading.Event()  # or abandoned
        self._returned = False
        self._result: Any = None
        self._error: Optional[Exception] = None

        def run() -> None:
            try:
                self._result = call()
            except Exception as error:
                failed(error)
                self._error = error
            except BaseException as error:  # a player's sys.exit() ends nothing but the player
                failed(error)
                self._error = RuntimeError(f"the player raised {error!r}")
            self._returned = True
            self._done.set()

        threading.Thread(target=run, name="ludens-player", daemon=True).start()

    @property
    def is_over(self) -> bool:
        return self._returned

    def abandon(self) -> None:
        """Lets those who wait for it go on without a result."""
        self._done.set()

    def wait(self, seconds: float) -> Optional[tuple[Any]]:
        """What the call returned, in a tuple; None if it goes on. Raises what it raised."""
        self._done.wait(max(0.0, seconds))
        if not self._returned:
            return None
        if self._error is not None:
            raise self._error
        return (self._result,)


class StillThinking(Exception):
    """The player has not come back from an earlier call."""


class Asked:
    """A player in Python as it is asked in one match: one call at a time. What it raises is logged;
    `told` is what was before. TypeError if it is no player."""

    def __init__(self, player: AnyThinker, told: Optional[Told] = None):
        check_thinker(player)
        self._player = player() if isinstance(player, type) else player
        self._told: Told = set() if told is None else told
        self._call: Optional[Call] = None

    def start(self, game: Game, role: int, deadline: float) -> Call:
        hook = getattr(self._player, "start", None)
        return self._ask(lambda: hook(game, role, deadline) if hook else None)

    def think(self, position: Position, deadline: float) -> Call:
        think = getattr(self._player, "think", self._player)
        return self._ask(lambda: think(position, deadline))

    def abandon(self) -> None:
        """Lets those who wait for the last answer go on without it."""
        if self._call is not None:
            self._call.abandon()

    def _ask(self, call: Callable[[], Any]) -> Call:
        if self._call is not None and not self._call.is_over:
            raise StillThinking("the player has not come back from an earlier call")
        self._call = Call(call, lambda error: tell(self._player, error, self._told))
        return self._call
