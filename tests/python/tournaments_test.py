# SPDX-License-Identifier: MIT
"""Tournaments with players and evaluators that are written in Python."""
import gc
import json
import pathlib
import tempfile
import threading
import time
import unittest

import numpy as np

import ludens

from players import PATIENCE, Centre, Greedy, broken, learn


class Tournaments(unittest.TestCase):
    def test_seats_and_standings(self):
        with tempfile.TemporaryDirectory() as folder:
            tournament = ludens.Tournament(
                ["tic_tac_toe", "knights_tour"],
                {"greedy": Greedy, "first": "legal", "broken": broken}, rounds=2,
                play_clock=PATIENCE, records=folder)
            self.assertEqual(tournament.total, 2 * (6 + 3))
            seen = []
            for match in tournament:
                seen.append(match)
                self.assertEqual(tournament.done, len(seen))
                self.assertIn(match.game.name, str(match))
            self.assertEqual(tournament.done, tournament.total)
            self.assertEqual(len(ludens.read_records(folder)), tournament.total)
            log = (pathlib.Path(folder) / "tournament.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in log.splitlines()[1:]]
        blocks = [[line for line in lines if line["block"] == number]
                  for number in {line["block"] for line in lines}]
        self.assertEqual(seen, tournament.matches)
        self.assertEqual({m.players for m in seen if len(m.players) == 2},
                         {(a, b) for a in tournament.players for b in tournament.players if a != b})
        for match in seen:
            self.assertEqual(match.record.disagreements(match.game), [])
            self.assertEqual(tuple(match.record.players), match.players)
        table = {s.name: s for s in tournament.standings}
        self.assertGreater(table["broken"].faults, 0)
        self.assertEqual(table["greedy"].faults, 0)
        for name, standing in table.items():
            scores = [np.mean([goal for match in block for player, goal
                               in zip(match["players"], match["goals"]) if player == name])
                      for block in blocks if any(name in match["players"] for match in block)]
            self.assertEqual(len(scores), 2 * 3)
            self.assertAlmostEqual(standing.mean, np.mean(scores))
            self.assertLessEqual(standing.low, standing.mean)
            self.assertGreaterEqual(standing.high, standing.mean)
            self.assertEqual(standing.matches, 2 * 5)
        self.assertEqual([s.mean for s in tournament.standings],
                         sorted((s.mean for s in tournament.standings), reverse=True))
        self.assertIn("greedy", str(tournament))

    def test_several_at_once_with_evaluators(self):
        players = {"net": ludens.Player("value:nodes=30", evaluator=Centre(0)), "greedy": Greedy}
        tournament = ludens.Tournament(["tic_tac_toe"], players, rounds=3, at_once=3,
                                       play_clock=PATIENCE)
        self.assertEqual(sorted(m.number for m in tournament), list(range(6)))
        self.assertEqual([s.faults for s in tournament.standings], [0, 0])

    def test_errors_of_matches_are_raised(self):
        for kind in (IndexError, ValueError, SystemExit):
            class Broken:
                def __init__(self):
                    raise kind("no such book")

                def think(self, position, deadline):
                    return position.legal_moves[0]

            for at_once in (1, 2):
                tournament = ludens.Tournament(["tic_tac_toe"], {"a": Broken, "b": "random"},
                                               at_once=at_once)
                raised = []

                def play():
                    try:
                        tournament.play()
                    except kind as error:
                        raised.append(str(error))

                playing = threading.Thread(target=play, daemon=True)
                playing.start()
                playing.join(PATIENCE)
                self.assertEqual(raised, ["no such book"], (kind, at_once))

    def test_leaving_it_ends_searches(self):
        tournament = ludens.Tournament(["connect_four"], {"a": "legal", "b": "random", "c": "mcts"},
                                       at_once=3, play_clock=600)
        begin = time.monotonic()
        for match in tournament:
            self.assertNotIn("c", match.players)
            break
        self.assertLess(time.monotonic() - begin, 300)
        self.assertEqual(tournament.done, 1)

    def test_goes_on_where_it_was_left(self):
        tournament = ludens.Tournament(["tic_tac_toe"], ["legal", "random"], rounds=3)
        for match in tournament:
            if tournament.done == 2:
                break
        self.assertEqual(len(tournament.play()), 2)
        self.assertEqual([m.number for m in tournament.matches], list(range(6)))

    def test_goes_on_with_its_log(self):
        def tournament(**options):
            return ludens.Tournament(["tic_tac_toe", "pig"], {"a": "legal", "b": broken}, rounds=2,
                                     records=folder, **{"play_clock": PATIENCE, **options})

        with tempfile.TemporaryDirectory() as folder:
            first = tournament()
            for match in first:
                if first.done == 3:
                    break
            before = str(first), first.standings, [m.goals for m in first.matches]
            del first, match
            gc.collect()  # the log is let go
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament()
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament(resume=True, seed=2)
            again = tournament(resume=True)
            self.assertEqual(before, (str(again), again.standings, [m.goals for m in again.matches]))
            for match in again.matches:
                self.assertEqual(match.record.disagreements(match.game), [])
                self.assertEqual(match.faults, sum(map(bool, sum(match.record.errors, []))))
            again.play()
            self.assertEqual([m.number for m in again.matches], list(range(again.total)))
            self.assertEqual(len(ludens.read_records(folder)), again.total)

    def test_goes_on_without_records(self):
        with tempfile.TemporaryDirectory() as folder:
            def tournament(**options):
                return ludens.Tournament(["nim"], ["legal", "random"], rounds=2, records=folder,
                                         **options)

            self.assertEqual(len(tournament().play()), 2)
            gc.collect()  # the log is let go
            files = sorted((pathlib.Path(folder) / "records").iterdir())
            files[0].unlink()
            files[1].write_text("")
            again = tournament(resume=True)
            self.assertEqual(again.done, again.total)
            self.assertEqual(len([m for m in again.matches if m.record is None]), 2)
            self.assertEqual(len([m for m in again.matches if m.record is not None]), 2)

    def test_clocks_are_part_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            def tournament(play_clock, **options):
                return ludens.Tournament(["nim"], ["legal", "random"], start_clock=0.5,
                                         play_clock=play_clock, records=folder, **options)

            first = tournament(0.2)
            first.play()
            self.assertEqual({m.record.play_clock for m in first.matches}, {0.2})
            del first
            gc.collect()  # the log is let go
            with self.assertRaisesRegex(ValueError, "play-clock"):
                tournament(1.3, resume=True)
            again = tournament(0.2, resume=True)
            self.assertEqual(again.done, again.total)
            self.assertEqual({(m.record.start_clock, m.record.play_clock) for m in again.matches},
                             {(0.5, 0.2)})

    def test_knowledge_is_part_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known"
            learn(file)
            strategy = f"value:knowledge={file},nodes=2,games=1"

            def tournament(**options):
                return ludens.Tournament(
                    ["tic_tac_toe"], {"named": strategy, "made": ludens.Player(strategy),
                                      "other": "legal"}, records=folder, **options)

            for _ in tournament():
                break
            gc.collect()  # the log is let go
            log = (pathlib.Path(folder) / "tournament.jsonl").read_text(encoding="utf-8")
            named, made, other = json.loads(log.splitlines()[0])["plan"]["players"]
            self.assertEqual(len(named["hash"]), 16)
            self.assertEqual(made["hash"], named["hash"])
            self.assertNotIn("hash", other)
            tournament(resume=True)
            gc.collect()
            file.unlink()
            learn(file, seed=2)
            with self.assertRaisesRegex(ValueError, "tournament.jsonl"):
                tournament(resume=True)

    def test_wrong_tournaments(self):
        for call, words in [
                (lambda: ludens.Tournament([], ["legal"]), "at least"),
                (lambda: ludens.Tournament(["nim", "nim"], ["legal"]), "two games"),
                (lambda: ludens.Tournament(["nim"], ["legal", "legal"]), "two players"),
                (lambda: ludens.Tournament(["nim"], ["legal"], play_clock=-1), "clocks"),
                (lambda: ludens.Tournament(["nim"], ["legal"], start_clock=float("nan")),
                 "clocks")]:
            with self.assertRaisesRegex(ValueError, words):
                call()


if __name__ == "__main__":
    unittest.main()
