# SPDX-License-Identifier: MIT
"""Servers whose players are written in Python."""
import textwrap
import time
import unittest
import urllib.request

import ludens

from players import PATIENCE, Centre, broken, illegal, late, lines_of


def ask(server, text):
    request = urllib.request.Request(server.url, text.encode(), {"Content-Type": "text/acl"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
        return reply.read().decode().strip().lower()


class Servers(unittest.TestCase):
    def play(self, server, moves, clock):
        """A match of tic-tac-toe in which the server is x; its answers."""
        rules = ludens.Game("tic_tac_toe").text
        rules = "\n".join(line.split(";")[0] for line in rules.splitlines())
        self.assertEqual(ask(server, f"(START m1 x ({rules}) {clock} {clock})"), "ready")
        answers = [ask(server, "(PLAY m1 NIL)")]
        for move in moves:
            ask(server, f"(PLAY m1 ({answers[-1]} noop))")
            answers.append(ask(server, f"(PLAY m1 (noop {move}))"))
        return answers

    def test_a_class_plays(self):
        started = []

        class Third:
            def start(self, game, role, deadline):
                started.append((game.roles[role], deadline > time.monotonic()))

            def think(self, position, deadline):
                self.asked = getattr(self, "asked", 0) + 1
                return position.legal_moves[1 + self.asked]

        with ludens.serve(Third, margin=0.5, name="third") as server:
            self.assertGreater(server.port, 0)
            self.assertIn("available", ask(server, "(INFO)"))
            legal = ludens.Game("tic_tac_toe").initial.legal_moves(0)
            answers = self.play(server, ["(mark 3 3)"], 30)
            self.assertEqual(answers[0], legal[2])
            left = [m for m in legal if m not in (answers[0], "( mark 3 3 )")]
            self.assertEqual(answers[1], left[3])
            self.assertEqual(started, [("x", True)])
            url = server.url
        with self.assertRaises(OSError):
            urllib.request.urlopen(url, timeout=5)
        server.close()

    def test_the_first_move_after_a_start_that_failed(self):
        asked = []

        class Last:
            def start(self, game, role, deadline):
                asked.append("start")
                raise RuntimeError("no model")

            def think(self, position, deadline):
                asked.append("think")
                return position.legal_moves[-1]

        legal = ludens.Game("tic_tac_toe").initial.legal_moves(0)
        rules = " ".join(line.split(";")[0]
                         for line in ludens.Game("tic_tac_toe").text.splitlines())
        with ludens.serve(Last) as server:
            self.assertEqual(ask(server, f"(START m1 x ({rules}) 30 60)"), "ready")
            self.assertEqual(ask(server, "(PLAY m1 NIL)"), legal[-1])
        self.assertEqual(asked, ["start", "think"])

    def test_faults_send_a_legal_move(self):
        legal = [m.strip() for m in ludens.Game("tic_tac_toe").initial.legal_moves(0)]
        for player, clock in ((illegal, 30), (broken, 30), (late, 2)):
            with self.subTest(player.__name__), ludens.serve(player, margin=0.5) as server:
                self.assertIn(self.play(server, [], clock)[0], legal)

    def test_strategies_and_evaluators(self):
        player = ludens.Player("value:nodes=40", evaluator=Centre(0))
        for served in ("mcts:playouts=50", player):
            with ludens.serve(served, margin=0.5) as server:
                self.assertEqual(len(self.play(server, ["(mark 3 3)"], 30)), 2)
        self.assertGreater(sum(player.evaluator.sizes), 40)

    def test_what_cannot_be_served(self):
        with self.assertRaisesRegex(ValueError, "did you mean"):
            ludens.serve("mtcs")
        for margin in (-1.0, 601.0, float("nan")):
            with self.assertRaisesRegex(ValueError, "margin"):
                ludens.serve("legal", margin=margin)
        with ludens.serve("legal") as server, self.assertRaisesRegex(RuntimeError, "in use"):
            ludens.serve("legal", port=server.port)

    def test_addresses(self):
        with ludens.serve("legal", bind="127.0.0.1") as server:
            self.assertEqual(server.url, f"http://127.0.0.1:{server.port}")
        try:
            server = ludens.serve("legal", bind="::1")
        except RuntimeError as error:
            self.skipTest(str(error))  # a machine without IPv6
        with server:
            self.assertEqual(server.url, f"http://[::1]:{server.port}")
            self.assertIn("available", ask(server, "(INFO)"))

    def test_without_descriptors(self):
        program = textwrap.dedent("""
            import os, resource, ludens
            ludens.Game("nim")
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
            taken = []
            try:
                while True:
                    taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                pass
            for free in range(8):
                try:
                    ludens.serve("legal").close()
                    print("listens")
                except RuntimeError as error:
                    print(error)
                os.close(taken.pop())
        """)
        lines = lines_of(program)
        self.assertIn("Too many open files", lines[0])
        self.assertEqual(lines[-1], "listens")

    def test_ends_with_python(self):
        lines_of("import ludens; server = ludens.serve('mcts'); print(server.port)")


if __name__ == "__main__":
    unittest.main()
