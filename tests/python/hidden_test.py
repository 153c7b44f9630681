# SPDX-License-Identifier: MIT
"""Games of hidden information: what roles know, searches, matches and records."""
import dataclasses
import unittest

import ludens

from players import COINS, PATIENCE, many_coins


class Careless(ludens.Player):
    """A search that answers with a move that does not exist."""

    def _choose(self, *args):
        return dataclasses.replace(super()._choose(*args), move="( open nothing )")


class Hidden(unittest.TestCase):
    """Games in which roles perceive a part of what happens."""

    def setUp(self):
        self.game = ludens.Game("phantom_tic_tac_toe")

    def test_roles_know_their_moves_and_percepts(self):
        state = self.game.initial.play("( try 2 2 )")
        self.assertEqual(state.knowledge("o"), [ludens.KnownTurn("noop", ("( control o )",))])
        self.assertEqual(state.knowledge("x"), [ludens.KnownTurn("( try 2 2 )", ())])
        state = state.play("( try 2 2 )")
        self.assertEqual(state.knowledge("o")[-1], ludens.KnownTurn("( try 2 2 )", ("taken",)))
        self.assertEqual(state.knowledge("x")[-1], ludens.KnownTurn("noop", ()))
        self.assertIsNone(ludens.Game("tic_tac_toe").initial.knowledge("x"))

    def test_what_is_believed_depends_on_what_is_known_alone(self):
        first, other = (self.game.initial.play(move) for move in ("( try 1 1 )", "( try 3 2 )"))
        self.assertNotEqual(first, other)
        self.assertEqual(first.believed("o"), other.believed("o"))
        self.assertEqual(first.believed("o").knowledge("o"), first.knowledge("o"))
        self.assertEqual(first.believed("x"), first, "x knows all by now")
        self.assertIs(type(first.believed("o")), ludens.State)
        plain = ludens.Game("tic_tac_toe").initial
        self.assertEqual(plain.believed("x"), plain)

    def test_searches_are_told_no_more(self):
        def chosen(state):
            found = ludens.Player("pimc:playouts=200,seed=3").choose(state, "o", PATIENCE)
            return found.move, [(move.move, move.visits) for move in found.root]

        states = [self.game.initial.play(move) for move in ("( try 1 1 )", "( try 3 2 )")]
        self.assertEqual(chosen(states[0]), chosen(states[1]))

    def test_a_match_and_its_record(self):
        seen = []

        class Curious:
            def think(self, position, deadline):
                seen.append((position.state.moves, position.known))
                return position.legal_moves[-1]

        match = ludens.Match(self.game, [Curious, "random:seed=2"], start_clock=PATIENCE,
                             play_clock=PATIENCE)
        record = match.play()
        self.assertEqual(match.faults, [])
        self.assertEqual(record.disagreements(self.game), [])
        self.assertEqual(len(record.percepts), len(record.moves))
        for moves, known in seen:
            self.assertEqual([turn.move for turn in known], [joint[0] for joint in moves])
            self.assertEqual([list(turn.percepts) for turn in known],
                             [row[0] for row in record.percepts[:len(known)]])
        self.assertTrue(any(tuple(joint) != told for moves, _ in seen
                            for told, joint in zip(moves, record.moves)),
                        "what x did not see was told")

    def test_what_is_not_found_in_time(self):
        game = many_coins()
        state = game.initial
        for i in range(COINS):
            state = state.play(("noop", "( flip tails )" if i % 3 else "( flip heads )"))
        choice = ludens.Player("mcts").choose(state, "player", seconds=0.01)
        self.assertEqual(choice.move, state.legal_moves("player")[0])
        self.assertEqual(choice.nodes, 0)
        self.assertIsNone(state._believed("player", 0.01))
        self.assertIsNone(state._believed("player", 600, lambda: True), "it was stopped")
        asked = []
        match = ludens.Match(game, [lambda position, deadline: asked.append(position)],
                             play_clock=0.01)
        match.play()
        self.assertEqual((match.faults, asked), ([(COINS + 1, 0, "TO")], []))

    def test_moves_that_are_legal_by_what_is_hidden(self):
        game = ludens.Game.from_text("""
            (role seeker) (role random) (init (step 0)) (place left) (place right) (way in) (way out)
            (<= (legal random (hide ?p)) (place ?p) (true (step 0)))
            (<= (legal seeker noop) (true (step 0))) (<= (legal random noop) (true (step 1)))
            (<= (legal seeker (open ?p ?w)) (true (step 1)) (true (at ?p)) (way ?w))
            (<= (next (at ?p)) (does random (hide ?p)))
            (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
            (<= (next won) (does seeker (open ?p in))) (<= (sees seeker began) (true (step 0)))
            (<= terminal (true (step 2)))
            (<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won)))
            (goal random 0)""")
        hidden = set()
        for seed in range(1, 11):
            for player in ("alphabeta", ludens.Player("pimc:playouts=50,seed=1"), Careless()):
                match = ludens.Match(game, [player], seed=seed, start_clock=PATIENCE,
                                     play_clock=PATIENCE)
                record = match.play()
                hidden.add(record.moves[0][1])
                faults = [(2, 0, "IL")] if isinstance(player, Careless) else []
                self.assertEqual(match.faults, faults)
        self.assertEqual(len(hidden), 2)

    def test_a_state_without_a_history(self):
        with self.assertRaisesRegex(ValueError, "play to it from"):
            self.game.state(self.game.initial.play("( try 1 1 )").bits).knowledge("o")


if __name__ == "__main__":
    unittest.main()
