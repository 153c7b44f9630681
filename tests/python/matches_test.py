# SPDX-License-Identifier: MIT
"""Matches of players that are written in Python, their faults, clocks, records and knowledge."""
import pathlib
import sys
import tempfile
import threading
import unittest

import ludens

from players import PATIENCE, Greedy, broken, illegal, late, learn


class Matches(unittest.TestCase):
    def test_match_and_record(self):
        game = ludens.Game("tic_tac_toe")
        greedy = Greedy()
        match = ludens.Match(game, [greedy, "random:seed=2"], start_clock=PATIENCE,
                             play_clock=PATIENCE, seed=4)
        states = list(match)
        self.assertEqual(greedy.started, "tic_tac_toe")
        self.assertTrue(states[-1].is_terminal)
        self.assertEqual(match.faults, [])
        record = match.record
        self.assertEqual(record.disagreements(game), [])
        self.assertEqual(record.goals, list(match.goals))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "match.json"
            record.save(file)
            read, = ludens.read_records(folder)
            self.assertEqual(read.moves, record.moves)
            self.assertEqual(read.players, ["greedy", "random:seed=2"])
            self.assertEqual(read.json(), record.json())
        self.assertNotEqual(record.disagreements(ludens.Game("nim")), [])

    def test_ids_differ(self):
        game = ludens.Game("nim")
        matches = [ludens.Match(game, ["legal", "random"]) for _ in range(100)]
        self.assertEqual(len({match.record.match_id for match in matches}), 100)

    def test_chance(self):
        match = ludens.Match(ludens.Game("pig"), ["random", "random"], seed=7)
        self.assertEqual(match.play().disagreements(match.game), [])

    def test_faults_of_players(self):
        def leaves(position, deadline):
            sys.exit(3)

        game = ludens.Game("tic_tac_toe")
        for player, code, clock in ((illegal, "IL", PATIENCE), (broken, "CE", PATIENCE),
                                    (leaves, "CE", PATIENCE), (late, "TO", 0.05)):
            match = ludens.Match(game, [player, "legal"], play_clock=clock)
            match.step()
            self.assertEqual(match.faults, [(1, 0, code)])
            self.assertIn(match.state.moves[0][0], game.initial.legal_moves(0))
        with self.assertRaisesRegex(ValueError, "needs 2 players: x, o"):
            ludens.Match(game, ["random"])

    def test_what_a_player_raises_is_logged_once_for_each_place(self):
        game = ludens.Game("tic_tac_toe")
        with self.assertLogs("ludens", "ERROR") as logged:
            match = ludens.Match(game, [broken, broken], play_clock=PATIENCE)
            match.play()
        self.assertGreater(len(match.faults), 4)
        self.assertEqual(len(logged.output), 1)
        self.assertRegex(logged.output[0], r"player broken raised KeyError\n(?s:.*)raise KeyError")
        with self.assertLogs("ludens", "ERROR") as logged:
            ludens.Tournament([game], {"a": broken, "b": "legal"}, rounds=2, start_clock=PATIENCE,
                              play_clock=PATIENCE).play()
        self.assertEqual(len(logged.output), 1)

    def test_what_is_no_player_is_refused(self):
        class Wrong:
            def think(self, position):
                return position.legal_moves[0]

        class Nothing:
            pass

        game = ludens.Game("tic_tac_toe")
        for wrong, words in ((42, "42 is not a player"), (None, "None is not a player"),
                             (Nothing, "is not a player"), (Nothing(), "is not a player"),
                             (Wrong, r"Wrong can't be asked for think\(position, deadline\)"),
                             (Wrong(), "Wrong can't be asked"), (lambda position: "", "lambda")):
            for use in (lambda: ludens.Match(game, [wrong, "random"]), lambda: ludens.serve(wrong),
                        lambda: ludens.Tournament([game], {"wrong": wrong, "random": "random"})):
                with self.assertRaisesRegex(TypeError, words):
                    use()

    def test_who_has_not_come_back_is_not_asked(self):
        asked, begun, back = [], threading.Event(), threading.Event()

        def stuck(position, deadline):
            asked.append(position)
            begun.set()
            back.wait(PATIENCE)
            return position.legal_moves[0]

        match = ludens.Match(ludens.Game("tic_tac_toe"), [stuck, "legal"], play_clock=0.05)
        for _ in range(3):
            match.step()
        self.assertTrue(begun.wait(PATIENCE))
        back.set()
        self.assertEqual(len(asked), 1)
        self.assertEqual(match.faults, [(1, 0, "TO"), (3, 0, "TO")])


    def test_records_stay_as_they_were(self):
        match = ludens.Match(ludens.Game("nim"), ["legal", "random:seed=2"])
        records = [match.record for _ in match]
        self.assertGreater(len(records), 2)
        self.assertEqual([len(r.moves) for r in records], list(range(len(records))))
        self.assertEqual([len(r.states) for r in records], list(range(1, len(records) + 1)))
        self.assertEqual([r.completed for r in records], [False] * (len(records) - 1) + [True])
        self.assertEqual({r.match_id for r in records}, {match.record.match_id})

    def test_clocks(self):
        game = ludens.Game("nim")
        for clock in (-1, float("nan"), float("inf"), 1e6):
            for which in ("start_clock", "play_clock"):
                with self.assertRaisesRegex(ValueError, "clocks"):
                    ludens.Match(game, ["legal", "random"], **{which: clock})
        ludens.Match(game, ["legal", "random"], start_clock=0, play_clock=0)


class Knowledge(unittest.TestCase):
    def test_a_file_that_cannot_be_read(self):
        game = ludens.Game("tic_tac_toe")
        strategy = "value:knowledge=/no/such/file"
        for call in (lambda: ludens.Player(strategy),
                     lambda: ludens.search(game.initial, strategy=strategy, seconds=0.1),
                     lambda: ludens.Match(game, [strategy, "random"]),
                     lambda: ludens.serve(strategy)):
            with self.assertRaisesRegex(ValueError, "knowledge=/no/such/file: No such file"):
                call()

    def test_what_was_learned_is_used(self):
        game = ludens.Game("tic_tac_toe")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known"
            learn(file)
            for knowledge, says in ((file, self.assertIn), ("none", self.assertNotIn)):
                found = ludens.search(game.initial, seconds=PATIENCE,
                                      strategy=f"value:knowledge={knowledge},nodes=200,games=1")
                says("of knowledge", found.explanation)


if __name__ == "__main__":
    unittest.main()
