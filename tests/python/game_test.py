# SPDX-License-Identifier: MIT
"""Games, states and searches in Python."""
import ast
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import weakref
import xml.dom.minidom

import numpy as np

import ludens
from ludens import _core


class Stubs(unittest.TestCase):
    def test_tell_what_there_is(self):
        file = pathlib.Path(ludens.__file__).parent / "_core.pyi"
        told = {}
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                told[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
                told[node.name] |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            elif isinstance(node, ast.FunctionDef):
                told[node.name] = set()
            elif isinstance(node, ast.AnnAssign):
                told[node.target.id] = set()
        there = {name for name in vars(_core) if not name.startswith("__")}
        self.assertEqual(there, set(told))
        for name, members in told.items():
            own = {m for m in vars(getattr(_core, name)) if not m.startswith("__")} if members \
                else set()
            self.assertEqual(own, {m for m in members if not m.startswith("__")}, name)


class Games(unittest.TestCase):
    def test_bundled(self):
        names = ludens.bundled_games()
        self.assertEqual(names, sorted(names))
        self.assertIn("connect_four", names)
        for name, players in (("splash", ("blue", "red")), ("wythoff", ("first", "second"))):
            self.assertIn(name, names)  # in HRF
            self.assertEqual(ludens.Game(name).players, players)
        unset = subprocess.run(  # as an empty variable counts
            [sys.executable, "-c", "import ludens; print(*ludens.bundled_games())"], check=True,
            env={**os.environ, "LUDENS_CONFIG": ""}, capture_output=True, text=True)
        self.assertEqual(unset.stdout.split(), names)
        game = ludens.Game("connect_four")
        self.assertEqual(game.roles, ("red", "yellow"))
        self.assertEqual(game.players, game.roles)
        self.assertIn("(role red)", game.text)
        self.assertEqual(game.diagnostics, [])
        again = ludens.Game.from_text(game.text, machine="interpreter")
        self.assertEqual(game.hash, again.hash)
        self.assertNotEqual(game.hash, ludens.Game("nim").hash)
        self.assertIsNone(game.random_role)
        dice = ludens.Game("pig")
        self.assertEqual(dice.roles[dice.random_role], "random")
        self.assertNotIn("random", dice.players)

    def test_states(self):
        game = ludens.Game("tic_tac_toe")
        start = game.initial
        self.assertEqual(len(start.legal_moves(0)), 9)
        self.assertEqual(start.legal_moves("o"), ["noop"])
        self.assertEqual(start.to_move, [0])
        a = start.play("( mark 1 1 )").play("(MARK 2 2)")
        b = start.play("( mark 1 1 )", "noop").play(["noop", "( mark 2 2 )"])
        self.assertEqual(a, b)
        self.assertEqual(hash(a), hash(b))
        self.assertEqual({a: 1}[b], 1)
        self.assertNotEqual(a, start)
        self.assertEqual(a.moves, [("( mark 1 1 )", "noop"), ("noop", "( mark 2 2 )")])
        self.assertEqual(game.state(a.bits), a)
        end = a.play("( mark 1 2 )").play("( mark 3 3 )").play("( mark 1 3 )")
        self.assertTrue(end.is_terminal)
        self.assertEqual(end.goals, (100, 0))
        self.assertEqual(end.legal_moves(), [[], []])

    def test_objects(self):
        game = ludens.Game("tic_tac_toe")
        start = game.initial
        self.assertIs(type(start.play("( mark 1 1 )")), ludens.State)
        self.assertIs(start.game, game)
        self.assertNotEqual(start, "( mark 1 1 )")
        self.assertNotEqual(start, ludens.Game("tic_tac_toe").initial)
        self.assertIn("play(", ludens.State.play.__doc__)
        for change in (lambda: setattr(start, "game", None), lambda: setattr(start, "extra", 1),
                       lambda: setattr(start, "is_terminal", True)):
            self.assertRaises(AttributeError, change)
        self.assertRaisesRegex(TypeError, "states come from games", ludens.State)
        self.assertRaises(TypeError, lambda: start < start)
        self.assertEqual(sys.getrefcount(start), 2)

    def test_a_game_and_its_state_that_know_each_other_go(self):
        game = ludens.Game("tic_tac_toe")
        game.best = game.initial.play("( mark 1 1 )")
        gone = weakref.ref(game)
        del game
        gc.collect()
        self.assertIsNone(gone())

    def test_what_is_no_move(self):
        class Loud(str):
            """A string that plays another state whenever it is compared."""

            def __hash__(self):
                other.play("( mark 3 3 )", "noop")
                return str.__hash__(self)

            def __eq__(self, text):
                return str.__eq__(self, text)

        start = ludens.Game("tic_tac_toe").initial
        other = start.play("( mark 2 2 )").play("( mark 1 1 )")
        self.assertEqual(start.play([Loud("( mark 1 1 )"), Loud("noop")]),
                         start.play("( mark 1 1 )"))
        for moves, error, words in [
                ((), ValueError, "a move of each of the 2 roles"),
                (("noop", "noop", "noop"), ValueError, "2 roles"),
                (([],), ValueError, "2 roles"),
                ((["( mark 1 1 )"],), ValueError, "2 roles"),
                (("( mark 1 1 )", "( mark 1 2 )"), ValueError, "not a legal move of o"),
                (("( mark 9 9 )",), ValueError, "not a legal move of x"),
                (("",), ValueError, "not a legal move"),
                (("((",), ValueError, "not a legal move"),
                (("\udc80",), ValueError, "'.udc80' is not a legal move of x"),
                ((None,), TypeError, "takes moves"),
                ((3,), TypeError, "takes moves"),
                (([1, 2],), TypeError, "a move is a str"),
                ((b"( mark 1 1 )",), (TypeError, ValueError), "")]:
            with self.subTest(moves), self.assertRaisesRegex(error, words):
                start.play(*moves)
        with self.assertRaises(IndexError):
            start.legal_moves(2)
        for name in ("z", "\udc80"):
            with self.assertRaisesRegex(KeyError, "no role"):
                start.legal_moves(name)
        with self.assertRaises(TypeError):
            start.legal_moves(1.5)
        end = other
        for move in ("( mark 3 3 )", "( mark 1 2 )", "( mark 3 1 )", "( mark 1 3 )"):
            end = end.play(move)
        self.assertRaisesRegex(ValueError, "over", end.play, "noop")

    def test_rules_in_latin_1(self):
        rules = ludens.Game("tic_tac_toe").text.replace("noop", "d\xf6se")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.kif"
            file.write_bytes(f"; by Schr\xf6der\n{rules}".encode("latin-1"))
            game = ludens.Game(file)
        self.assertTrue(game.text.startswith("; by Schr\xf6der\n"))
        self.assertEqual(game.initial.legal_moves("o"), ["d\xf6se"])
        record = ludens.Match(game, ["random:seed=1", "legal"]).play()
        self.assertEqual(record.disagreements(game), [])
        self.assertEqual(record.rulesheet, game.text)
        self.assertEqual(record.moves[0][1], "d\xf6se")

    def test_a_very_long_game(self):
        state = ludens.Game.from_text(
            "(role a) (init (n 0)) (legal a go) (goal a 0) (<= terminal (true (n 2))) "
            "(<= (next (n 1)) (true (n 0))) (<= (next (n 0)) (true (n 1)))").initial
        for _ in range(300_000):
            state = state.play("go")
        self.assertEqual(len(state.moves), 300_000)
        del state

    def test_boards(self):
        for name in ("connect_four", "tic_tac_toe", "chess"):
            game = ludens.Game(name)
            env = ludens.VecEnv(game, 20, observation="board:uint8")
            env.roll(7)
            boards = game.boards(env.states())
            self.assertEqual(boards.dtype, np.uint8)
            self.assertTrue((boards == env.observations).all())
        with self.assertRaisesRegex(ValueError, "no board"):
            ludens.Game("pig").boards(np.zeros((1, 1), np.uint64))

    def test_the_first_move_on_each_machine(self):
        for machine in ("interpreter", "scalar", "sliced"):
            for moves in (("( mark 1 3 )",), ("( mark 1 3 )", "noop")):
                start = ludens.Game("tic_tac_toe", machine=machine).initial
                self.assertEqual(start.play(*moves).moves, [("( mark 1 3 )", "noop")])

    def test_rows_of_bits_on_each_machine(self):
        for name in ("tic_tac_toe", "pig"):
            rows = []
            for machine in ("interpreter", "scalar", "sliced"):
                game = ludens.Game(name, machine=machine)
                state = game.initial
                for _ in range(4):
                    state = state.play([min(moves) for moves in state.legal_moves()])
                again = game.state(state.bits)
                self.assertEqual(again.legal_moves(), state.legal_moves())
                self.assertTrue((again.bits == state.bits).all())
                self.assertEqual([f for f, holds in zip(game.fluents, state.observation) if holds],
                                 [f for f in game.fluents if f in state.facts])
                rows.append(state.bits.tolist() if name == "tic_tac_toe" else None)
            self.assertEqual(rows[0], rows[1])
            self.assertEqual(rows[1], rows[2])

    def test_rows_of_bits_without_what_always_holds(self):
        rules = """(role r) (cell a) (cell b) (init (wall a)) (init (at s))
                   (<= (next (wall ?x)) (true (wall ?x)))
                   (<= (legal r (go ?x)) (cell ?x) (true (at s)) (not (true (wall ?x))))
                   (<= (next (at ?x)) (does r (go ?x)))
                   (<= terminal (true (at b))) (goal r 100)"""
        for machine in ("interpreter", "scalar", "sliced"):
            game = ludens.Game.from_text(rules, machine=machine)
            self.assertNotIn("( wall a )", game.fluents)
            again = game.state(game.initial.bits)
            self.assertEqual(again, game.initial)
            self.assertEqual(again.legal_moves(0), ["( go b )"])

    def test_wrong_moves(self):
        game = ludens.Game("tic_tac_toe")
        start = game.initial
        for moves, error, words in [
                (("( mark 9 9 )",), ValueError, "not a legal move of x"),
                (("noop",), ValueError, "not a legal move of x"),
                (("( mark 1 1 )", "( mark 1 1 )"), ValueError, "not a legal move of o"),
                (("( mark 1 1 )", "noop", "noop"), ValueError, "each of the 2 roles"),
                ((1, 2), TypeError, "a move is a str"), ((), ValueError, "each of the 2 roles")]:
            with self.subTest(moves), self.assertRaisesRegex(error, words):
                start.play(*moves)
        with self.assertRaisesRegex(ValueError, "several roles"):
            ludens.Game("rock_paper_scissors").initial.play("rock")
        with self.assertRaises(KeyError):
            start.legal_moves("y")
        with self.assertRaises(IndexError):
            start.legal_moves(2)
        end = start
        while not end.is_terminal:
            end = end.play(end.legal_moves(end.to_move[0])[0])
        with self.assertRaisesRegex(ValueError, "over"):
            end.play("noop", "noop")

    def test_pictures(self):
        for name in ludens.bundled_games():
            state = ludens.Game(name).initial
            self.assertTrue(str(state).strip(), name)
            svg = state._repr_svg_()
            if svg is not None:
                xml.dom.minidom.parseString(svg)
        self.assertIn("circle", ludens.Game("connect_four").initial.play("( drop 1 )")._repr_svg_())

    def test_playouts(self):
        means = ludens.Game("tic_tac_toe").initial.playouts(20_000)
        self.assertAlmostEqual(means.sum(), 100)
        self.assertAlmostEqual(means[0], 64.8, delta=1.5)


class Searches(unittest.TestCase):
    def test_search_finds_the_win(self):
        state = ludens.Game("tic_tac_toe").initial
        for move in ("( mark 1 1 )", "( mark 2 1 )", "( mark 1 2 )", "( mark 2 2 )"):
            state = state.play(move)
        choice = ludens.search(state, strategy="alphabeta", seconds=20)
        self.assertEqual(choice.move, "( mark 1 3 )")
        self.assertEqual((choice.value, choice.exact), (100, True))
        self.assertIn(choice.move, [m.move for m in choice.root] or [choice.move])
        player = ludens.Player("mcts:playouts=2000,seed=3")
        self.assertEqual(player.choose(state, "x", 20).move, "( mark 1 3 )")

    def test_players_of_states_without_a_history(self):
        game = ludens.Game("tic_tac_toe")
        player = ludens.Player("mcts:playouts=3000,seed=1")
        self.assertIn(player.choose(game.initial, seconds=20).move, game.initial.legal_moves(0))
        for row in ("1", "2", "3"):
            other = str(int(row) % 3 + 1)
            state = game.initial
            for move in (row + " 1", other + " 1", row + " 2", other + " 2"):
                state = state.play(f"( mark {move} )")
            choice = player.choose(game.state(state.bits), "x", 20)
            self.assertEqual(choice.move, f"( mark {row} 3 )")

    def test_solve(self):
        state = ludens.Game("tic_tac_toe").initial
        for method in ("search", "proof", "backward"):
            solution = ludens.solve(state, method=method)
            self.assertEqual((solution.value, solution.exact), (50, True))
        solution = ludens.solve(state.play("( mark 1 1 )"), "o", all_moves=True)
        self.assertEqual(len(solution.root), 8)
        self.assertEqual({m.move: m.high for m in solution.root}["( mark 2 2 )"], 50)

    def test_hidden_information_is_not_solved(self):
        for name in ("monty_hall", "kuhn_poker", "matching_pennies"):
            game = ludens.Game(name)
            for method in ("search", "proof", "backward"):
                with self.subTest((name, method)), self.assertRaisesRegex(ValueError, "'cfr'"):
                    ludens.solve(game.initial, game.players[0], method=method)

    def test_nothing_is_proved_by_a_history_that_is_guessed(self):
        state = ludens.Game("monty_hall").initial
        for moves in (("( choose 3 )", "( hide 2 )"), ("noop", "( open 1 )")):
            state = state.play(moves)
        choice = ludens.search(state, "guest", "alphabeta")
        self.assertFalse(choice.exact)
        self.assertEqual([(m.low, m.high) for m in choice.root], [(0, 100)] * 2)

    def test_wrong_questions(self):
        state = ludens.Game("tic_tac_toe").initial
        for call, words in [(lambda: ludens.Player("mtcs"), "did you mean 'mcts'"),
                            (lambda: ludens.search(state, seconds=-1), "seconds"),
                            (lambda: ludens.solve(state, method="magic"), "backward"),
                            (lambda: ludens.search(ludens.Game("rock_paper_scissors").initial), "name one")]:
            with self.assertRaisesRegex(ValueError, words):
                call()
        self.assertIn("mcts", ludens.strategies())


if __name__ == "__main__":
    unittest.main()
