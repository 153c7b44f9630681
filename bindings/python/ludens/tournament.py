# SPDX-License-Identifier: MIT
"""Every player against every other, with seats exchanged: plan, log and statistics are those of
`ludens tournament`."""
from __future__ import annotations

import atexit
import collections
import dataclasses
import math
import os
import pathlib
import queue
import threading
import time
from typing import Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from .game import Game
from .match import AnyPlayer, Match, Record, Stopped, read_records
from .player import Player
from .thinker import Told, check_thinker, player_name


_stops: set[Callable[[float], None]] = set()  # of tournaments whose threads are running


@atexit.register
def _stop_all() -> None:
    """Threads of an iterator that is still open must not outlive the interpreter."""
    end = time.monotonic() + 2.0
    for stop in list(_stops):
        stop(end)


@dataclasses.dataclass(frozen=True)
class PlayedMatch:
    """A match that is over."""

    number: int               # in the schedule, from 0
    game: Game
    players: tuple[str, ...]  # names, by role without `random`
    goals: tuple[int, ...]    # by role, too; 0 to 100
    faults: int               # answers that were not accepted
    record: Optional[Record]  # None: its file is missing or can't be read

    def __str__(self) -> str:
        seats = ", ".join(f"{name} {goal}" for name, goal in zip(self.players, self.goals))
        return f"{self.game.name}: {seats}" + (f" ({self.faults} faults)" if self.faults else "")


@dataclasses.dataclass(frozen=True)
class Standing:
    """What a player has reached so far. Goals count in blocks that are complete: a block is a game with
    one seed, played once for each player of the table, so that each holds each seat."""

    name: str
    matches: int
    mean: float  # goal, 0 to 100: of the means of blocks
    low: float   # the interval that holds the true mean in 95 of 100 tournaments
    high: float
    faults: int


class Tournament:
    """Matches of all players in all seats of all games; iterate over it to play them.

        tournament = ludens.Tournament(["tic_tac_toe", "connect_four"],
                                       {"mine": MyPlayer, "mcts": "mcts:playouts=500"}, rounds=2)
        for match in tournament:
            print(f"{tournament.done} of {tournament.total}  {match}")
        print(tournament)

    games       games, names or paths
    players     what `Match` takes, by name or in a list; a `Player` is created again for each
                match, and so is a class. Use classes if several matches run at once
    rounds      how often each seating is played
    at_once     matches that run at the same time, each on a thread of its own
    records     a folder for `tournament.jsonl`, the log that `ludens report` reads, and for the
                records of all matches; None: nothing is kept
    resume      continues the log in the folder, if it is of the same tournament

    Seatings, seeds and statistics are those of `ludens tournament`: each table of as many players as
    the game has roles plays a block, in which each player holds each seat once; if there are fewer
    players than roles, some have several seats. Iterating continues where it stopped; a match that was
    aborted, by Ctrl-C for example, is then played again.
    """

    def __init__(self, games: Sequence[Union[Game, str, os.PathLike[str]]],
                 players: Union[Mapping[str, AnyPlayer], Sequence[AnyPlayer]], *, rounds: int = 1,
                 at_once: int = 1, start_clock: float = 10.0, play_clock: float = 5.0,
                 seed: int = 1, records: Optional[Union[str, os.PathLike[str]]] = None,
                 resume: bool = False, name: str = "tournament"):
        if not isinstance(players, Mapping):
            players = _named(players)
        if not players or not games or rounds < 1 or at_once < 1:
            raise ValueError("a tournament has at least a game, a player, a round and a match at "
                             "once")
        self.players = dict(players)
        for player in self.players.values():
            if not isinstance(player, (str, Player)):
                check_thinker(player)
        self._told: Told = set()  # of what players raised, in all matches
        self.at_once = at_once
        self._clocks = {"start_clock": start_clock, "play_clock": play_clock}
        self._folder = None if records is None else pathlib.Path(records)
        self._games = [game if isinstance(game, Game) else Game(game) for game in games]
        self._core = _core.TournamentCore(
            [(called, _shown(player), _strategy(player)) for called, player in self.players.items()],
            [game._core for game in self._games], rounds, start_clock, play_clock, seed, name,
            str(self._folder or ""), resume)
        self._played: dict[int, PlayedMatch] = {}
        for number, goals, faults, file in self._core.done():
            _, game, seats, _ = self._place(number)
            self._keep(number, game, seats, goals, faults, self._record_in(file))

    @property
    def total(self) -> int:
        """Matches of the schedule."""
        return self._core.total

    @property
    def done(self) -> int:
        """Matches that are over."""
        return len(self._played)

    @property
    def matches(self) -> list[PlayedMatch]:
        """Those that are over, in the order of the schedule."""
        return [self._played[number] for number in sorted(self._played)]

    def __iter__(self) -> Iterator[PlayedMatch]:
        """Plays what is left, and gives each match as it ends."""
        left = [n for n in range(self.total) if n not in self._played]
        for number, match, seconds in (self._one_by_one(left) if self.at_once == 1
                                       else self._together(left)):
            yield self._over(number, match, seconds)

    def play(self) -> list[Standing]:
        """All that is left."""
        for _ in self:
            pass
        return self.standings

    def _one_by_one(self, numbers: list[int]) -> Iterator[tuple[int, Match, float]]:
        for number in numbers:
            yield (number, *self._play(self._match(number)))

    def _together(self, numbers: list[int]) -> Iterator[tuple[int, Match, float]]:
        waiting, over = collections.deque(numbers), queue.Queue()
        running: set[Match] = set()

        def work() -> None:
            while True:
                try:
                    number = waiting.popleft()
                except IndexError:
                    return
                try:
                    match = self._match(number)
                    running.add(match)
                    played = self._play(match)
                    running.discard(match)
                    over.put((number, *played))
                except Stopped:  # all is over
                    return
                except BaseException as error:  # sys.exit() of a player, too, is for who waits
                    over.put(error)

        threads = [threading.Thread(target=work, name="ludens-match", daemon=True)
                   for _ in range(self.at_once)]

        def stop(end: float) -> None:
            """Ends the matches, and waits for the threads until `end`, of `time.monotonic()`."""
            waiting.clear()
            for thread in threads:
                while thread.is_alive() and time.monotonic() < end:
                    for match in list(running):
                        match.stop()
                    thread.join(0.01)

        for thread in threads:
            thread.start()
        _stops.add(stop)
        try:
            for _ in numbers:
                found = over.get()
                if isinstance(found, BaseException):
                    raise found
                yield found
        finally:
            stop(math.inf)
            _stops.discard(stop)

    @staticmethod
    def _play(match: Match) -> tuple[Match, float]:
        begin = time.monotonic()
        match.play()
        return match, time.monotonic() - begin

    def _place(self, number: int) -> tuple[str, Game, tuple[str, ...], int]:
        """Id, game, names by role without `random`, and seed."""
        names = list(self.players)
        match_id, game, seats, seed = self._core.match(number)
        return (match_id, self._games[game],
                tuple(names[seat] for seat in seats if seat is not None), seed)

    def _match(self, number: int) -> Match:
        match_id, game, seats, seed = self._place(number)
        players = [self.players[name] for name in seats]
        return Match(game, [p.anew() if isinstance(p, Player) else p for p in players], seed=seed,
                     names=seats, match_id=match_id, _told=self._told, **self._clocks)

    def _over(self, number: int, match: Match, seconds: float) -> PlayedMatch:
        record, file = match.record, ""
        if self._folder is not None:
            file = f"records/{_core.safe_file_name(record.match_id)}.json"
            (self._folder / "records").mkdir(exist_ok=True)
            record.save(self._folder / file)
        self._core.add(number, record._core, seconds, file)
        _, game, seats, _ = self._place(number)
        return self._keep(number, game, seats, match.goals, len(match.faults), record)

    def _record_in(self, file: str) -> Optional[Record]:
        """The record of a match in the log, which counts without it: the end of the log is on the
        disk before the records are, so that a power failure can leave an empty one."""
        try:
            return read_records(self._folder / file)[0] if file else None
        except ValueError:
            return None

    def _keep(self, number: int, game: Game, seats: tuple[str, ...], goals: Sequence[int],
              faults: int, record: Optional[Record]) -> PlayedMatch:
        own = tuple(goal for role, goal in enumerate(goals) if role != game.random_role)
        self._played[number] = PlayedMatch(number, game, seats, own, faults, record)
        return self._played[number]

    @property
    def standings(self) -> list[Standing]:
        """All players by what they have reached so far, the best first."""
        return [Standing(*row) for row in self._core.standings()]

    def __str__(self) -> str:
        """The tables of `ludens tournament`."""
        return self._core.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<ludens.Tournament: {self.done} of {self.total} matches played>"


def _shown(player: AnyPlayer) -> str:
    return player if isinstance(player, str) else player_name(player)


def _strategy(player: AnyPlayer) -> str:
    """The strategy of the engine that plays for it; empty if there is none."""
    return player if isinstance(player, str) else player.strategy if isinstance(player, Player) else ""


def _named(players: Sequence[AnyPlayer]) -> dict[str, AnyPlayer]:
    named: dict[str, AnyPlayer] = {}
    for player in players:
        name = _shown(player)
        if name in named:
            raise ValueError(f"two players are called {name}: give them names, as in "
                             f"{{'first': ..., 'second': ...}}")
        named[name] = player
    return named
