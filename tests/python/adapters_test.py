# SPDX-License-Identifier: MIT
"""The forms of other packages, held to their rules: the order of calls, types, seeds, masks."""
import importlib.util
import sys
import types
import unittest
import unittest.mock

import numpy as np

try:
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, parallel_api_test
    CHECKERS = True
except ImportError:
    CHECKERS = False

import ludens
from ludens.adapters.gymnasium import SingleRoleEnv
from ludens.adapters import gymnasium, openspiel
from ludens.adapters.pettingzoo import ParallelGame, TurnGame


@unittest.skipUnless(CHECKERS, "gymnasium and pettingzoo are not installed: their checkers did not run")
class OfficialCheckers(unittest.TestCase):
    def test_single_roles(self):
        for name in ("eight_puzzle", "knights_tour", "peg_solitaire"):
            with self.subTest(name):
                check_env(SingleRoleEnv(ludens.Game(name)))
                check_env(SingleRoleEnv(ludens.Game(name), board=True, max_steps=3))

    def test_several_roles(self):
        for name in ("tic_tac_toe", "connect_four", "rock_paper_scissors", "three_player", "pig", "tron"):
            with self.subTest(name):
                parallel_api_test(ParallelGame(ludens.Game(name)), num_cycles=50)
                api_test(TurnGame(ludens.Game(name)), num_cycles=50)


class Gymnasium(unittest.TestCase):
    def test_any_action_of_the_space_is_taken(self):
        # As Gymnasium's checker and agents that know of no mask choose.
        env = SingleRoleEnv(ludens.Game("eight_puzzle"))
        for seed in range(20):
            _, info = env.reset(seed=seed)
            env.action_space.seed(seed)
            over = cut = False
            while not (over or cut):
                action = env.action_space.sample()
                legal = bool(info["action_mask"][action])
                observation, reward, over, cut, info = env.step(action)
                self.assertTrue(env.observation_space.contains(observation))
                self.assertNotEqual(legal, reward == -1.0)
                self.assertTrue(legal or over)
            with self.assertRaisesRegex(RuntimeError, "reset"):
                env.step(action)

    def test_rules_of_an_environment(self):
        env = SingleRoleEnv(ludens.Game("knights_tour"), render_mode="ansi")
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(0)
        for seed in (1, None, 1):
            observation, info = env.reset(seed=seed)
            self.assertTrue(env.observation_space.contains(observation))
            self.assertTrue(env.render())
            over = cut = False
            env.action_space.seed(seed)
            while not (over or cut):
                self.assertEqual(info["action_mask"].dtype, np.int8)
                action = env.action_space.sample(info["action_mask"])
                self.assertTrue(env.action_space.contains(action))
                before = observation
                result = env.step(action)
                self.assertEqual(len(result), 5)
                observation, reward, over, cut, info = result
                self.assertIs(type(reward), float)
                self.assertIs(type(over), bool)
                self.assertIs(type(cut), bool)
                self.assertTrue(env.observation_space.contains(observation))
                self.assertFalse((observation == before).all())
            self.assertFalse(info["action_mask"].any())
            with self.assertRaisesRegex(RuntimeError, "reset"):
                env.step(action)
        env.close()

    def test_truncation_and_illegal_actions(self):
        env = SingleRoleEnv(ludens.Game("eight_puzzle"), max_steps=3, illegal="raise")
        _, info = env.reset()
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
        for wrong in (illegal, -1, len(info["action_mask"])):
            with self.assertRaises(ludens.IllegalActionError):
                env.step(wrong)
        for wrong in (1.9, None):
            with self.assertRaises(TypeError):
                env.step(wrong)
        for step in range(3):
            _, _, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
            self.assertEqual((over, cut), (False, step == 2))

    def test_chance_without_a_seed(self):
        def draws(env):
            """What thirty coins show."""
            env.reset()
            return [env.step(0)[0].tobytes() for _ in range(30)]

        game = ludens.Game.from_text("""
            (role solo) (role random) (init (coin none)) (legal solo go) (side heads) (side tails)
            (<= (legal random (flip ?side)) (side ?side)) (<= (next (coin ?x)) (does random (flip ?x)))
            (<= terminal (true (coin edge))) (goal random 0)
            (<= (goal solo 0) (true (coin heads))) (<= (goal solo 100) (not (true (coin heads))))""")
        with unittest.mock.patch("secrets.randbits", side_effect=[1, 2, 1]):
            first, other, again = (draws(SingleRoleEnv(game)) for _ in range(3))
        self.assertNotEqual(first, other)
        self.assertEqual(first, again)

    def test_a_seed_is_given_to_the_package(self):
        class Env:
            def reset(self, *, seed=None, options=None):
                self.seeds = [*getattr(self, "seeds", []), seed]

        package = types.ModuleType("gymnasium")
        package.Env = Env
        spec = importlib.util.spec_from_file_location("ludens.adapters.with_package",
                                                      gymnasium.__file__)
        module = importlib.util.module_from_spec(spec)
        with unittest.mock.patch.dict(sys.modules, {"gymnasium": package}):
            spec.loader.exec_module(module)
        env = module.SingleRoleEnv(ludens.Game("knights_tour"))
        self.assertIsInstance(env, Env)
        for seed in (7, None):
            env.reset(seed=seed)
        self.assertEqual(env.seeds, [7, None])

    def test_what_is_no_action_is_never_taken(self):
        env = SingleRoleEnv(ludens.Game("eight_puzzle"))
        _, info = env.reset()
        for wrong in (-1, len(info["action_mask"])):
            with self.assertRaises(ludens.IllegalActionError):
                env.step(wrong)
        with self.assertRaises(TypeError):
            env.step(1.9)
        with self.assertRaisesRegex(ValueError, "'raise' or 'end', not 'ignore'"):
            SingleRoleEnv(ludens.Game("eight_puzzle"), illegal="ignore")

    def test_refuses_games_for_several(self):
        with self.assertRaisesRegex(ValueError, "2 players"):
            SingleRoleEnv(ludens.Game("tic_tac_toe"))


class PettingZoo(unittest.TestCase):
    def play(self, name, seed, **options):
        env = ParallelGame(ludens.Game(name), **options)
        random = np.random.default_rng(seed)
        observations, infos = env.reset(seed=seed)
        log = []
        while env.agents:
            self.assertEqual(set(observations), set(env.agents))
            self.assertEqual(set(infos), set(env.agents))
            actions = {}
            for agent in env.agents:
                self.assertTrue(env.observation_space(agent).contains(observations[agent]))
                mask = observations[agent]["action_mask"]
                self.assertEqual(mask.tolist(), infos[agent]["action_mask"].tolist())
                legal = np.flatnonzero(mask)
                if len(legal) > 1:
                    actions[agent] = int(random.choice(legal))
            agents = list(env.agents)
            observations, rewards, over, cut, infos = env.step(actions)
            for result in (observations, rewards, over, cut, infos):
                self.assertEqual(set(result), set(agents))
            self.assertEqual(not env.agents, any(over.values()) or any(cut.values()))
            log.append((actions, rewards))
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step({})
        return env, log

    def test_rules_of_a_parallel_environment(self):
        for name in ("tic_tac_toe", "rock_paper_scissors", "three_player", "pig"):
            with self.subTest(name):
                env, log = self.play(name, 3)
                self.assertEqual(env.possible_agents, list(env.game.players))
                self.assertEqual(env.max_num_agents, len(env.game.players))
                self.assertEqual(log, self.play(name, 3)[1])

    def test_boards_and_wrong_actions(self):
        env = ParallelGame(ludens.Game("connect_four"), board=True, render_mode="ansi")
        observations, _ = env.reset()
        self.assertEqual(observations["red"]["observation"].shape, env.game.board.shape)
        self.assertTrue(env.render())
        for actions, words in (({}, "red has 7 legal actions"), ({"red": 0, "blue": 1}, "blue")):
            with self.assertRaisesRegex(ValueError, words):
                env.step(actions)
        for wrong in (7, -1):
            with self.assertRaises(ludens.IllegalActionError):
                env.step({"red": wrong})
        with self.assertRaises(TypeError):
            env.step({"red": 1.9})
        waits = len(env.game.actions(1))
        with self.assertRaises(ludens.IllegalActionError):
            env.step({"red": 0, "yellow": (env.game.actions(1).index("noop") + 1) % waits})


    def test_illegal_actions_end_the_episode_where_asked(self):
        env = ParallelGame(ludens.Game("tic_tac_toe"), illegal="end")
        env.reset()
        waits = env.game.actions(1).index("noop")
        taken = (waits + 1) % len(env.game.actions(1))
        with self.assertRaises(ludens.IllegalActionError):  # no action of the space: nothing is kept
            env.step({"o": taken, "x": 1000})
        with self.assertRaisesRegex(ValueError, "x has 9 legal actions"):
            env.step({"o": taken})
        self.assertEqual(env.step({"x": 0, "o": waits})[2], {"x": False, "o": False})
        env.reset()
        observations, rewards, over, cut, _ = env.step({"x": 0, "o": taken})
        self.assertEqual((rewards, over), ({"x": 0.0, "o": -1.0}, {"x": True, "o": True}))
        self.assertEqual((cut, env.agents), ({"x": False, "o": False}, []))
        self.assertTrue(env.observation_space("x").contains(observations["x"]))
        env.reset()
        self.assertEqual(env.step({"x": 0, "o": waits})[1], {"x": 0.0, "o": 0.0})


class PettingZooInTurns(unittest.TestCase):
    def test_illegal_actions_end_the_episode_where_asked(self):
        env = TurnGame(ludens.Game("tic_tac_toe"), illegal="end")
        env.reset()
        env.step(0)
        env.step(0)
        ended = {}
        for agent in env.agent_iter():
            _, ended[agent], over, _, _ = env.last()
            self.assertTrue(over)
            env.step(None)
        self.assertEqual(ended, {"x": 0.0, "o": -1.0})

    def play(self, name, seed, **options):
        """Random play by the rules of the form; what each agent got, and who acted when."""
        env = TurnGame(ludens.Game(name), **options)
        random = np.random.default_rng(seed)
        env.reset(seed=seed)
        self.assertEqual(env.agents, env.possible_agents)
        total = dict.fromkeys(env.agents, 0.0)
        since = dict(env.rewards)  # by agent, since it last acted
        order, ended = [], set()
        for agent in env.agent_iter():
            self.assertEqual(agent, env.agent_selection)
            observation, reward, over, cut, info = env.last()
            self.assertTrue(env.observation_space(agent).contains(observation))
            self.assertIs(type(reward), float)
            self.assertEqual(reward, since[agent])
            total[agent] += reward
            if over or cut:
                self.assertFalse(info["action_mask"].any() and over)
                ended.add(agent)
                env.step(None)
                self.assertNotIn(agent, env.agents)
            else:
                self.assertGreater(info["action_mask"].sum(), 1)
                order.append(agent)
                env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
            since[agent] = 0.0
            for name, given in env.rewards.items():
                since[name] += given
        self.assertEqual(ended, set(env.possible_agents))
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(0)
        env.close()
        return total, order

    def test_turns(self):
        for seed in range(5):
            total, order = self.play("tic_tac_toe", seed, render_mode="ansi", board=True)
            self.assertEqual(sum(total.values()), 1.0)
            self.assertEqual(order[:4], ["x", "o", "x", "o"])

    def test_at_once_chance_and_three(self):
        for name in ("rock_paper_scissors", "pig", "three_player", "tron", "knights_tour"):
            self.play(name, 1)
        _, order = self.play("rock_paper_scissors", 2)
        players = list(ludens.Game("rock_paper_scissors").players)
        self.assertEqual(order[:2], players)

    def test_choices_are_hidden_until_all_have_made_theirs(self):
        env = TurnGame(ludens.Game("rock_paper_scissors"))
        env.reset()
        before = env.state()
        env.step(0)
        self.assertTrue((env.state() == before).all())
        env.step(0)
        self.assertFalse((env.state() == before).all())

    def test_a_long_stretch_without_a_choice(self):
        last = 2000
        rules = ["(role clerk) (init (page 0)) (legal clerk turn)",
                 "(<= (next (page ?n)) (true (page ?m)) (follows ?m ?n))",
                 f"(<= terminal (true (page {last}))) (goal clerk 100)",
                 *(f"(follows {n} {n + 1})" for n in range(last))]
        env = TurnGame(ludens.Game.from_text("\n".join(rules)))
        env.reset()
        self.assertEqual(env.last()[1:4], (1.0, True, False))
        env.step(None)
        self.assertEqual(env.agents, [])

    def test_seeds_and_wrong_steps(self):
        self.assertEqual(self.play("pig", 3), self.play("pig", 3))
        env = TurnGame(ludens.Game("tic_tac_toe"), max_steps=2)
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(0)
        env.reset()
        for wrong in (-1, 9, 10):
            with self.assertRaises(ludens.IllegalActionError):
                env.step(wrong)
        for wrong in (None, 1.9):
            with self.assertRaises(TypeError):
                env.step(wrong)
        env.step(0)
        with self.assertRaises(ludens.IllegalActionError):
            env.step(0)
        env.step(1)
        self.assertEqual(env.truncations, {"x": True, "o": True})
        with self.assertRaisesRegex(ValueError, "None"):
            env.step(1)


class OpenSpiel(unittest.TestCase):
    # Lines that OpenSpiel plays in its own tests of these games, whose actions have these numbers,
    # too: the actions, what is legal after some of them, and the returns.
    TIC_TAC_TOE = [8, 3, 6, 0, 2, 1, 5]
    CONNECT_FOUR = [0, 1, 2, 6, 4, 1, 0, 2, 6, 0, 5, 4, 0, 6, 5, 0, 3]

    def play_line(self, name, line, legal):
        game = openspiel.Game(name)
        self.assertEqual((game.num_players(), game.min_utility(), game.max_utility()), (2, -1, 1))
        state = game.new_initial_state()
        for step, action in enumerate(line):
            self.assertEqual((state.is_terminal(), state.is_chance_node(),
                              state.is_simultaneous_node()), (False, False, False))
            self.assertEqual(state.current_player(), step % 2)
            self.assertEqual(state.history(), line[:step])
            self.assertEqual(state.information_state_string(), ", ".join(map(str, line[:step])))
            self.assertEqual((state.rewards(), state.returns()), ([0.0, 0.0], [0.0, 0.0]))
            self.assertEqual(state.legal_actions(), legal(line[:step]))
            self.assertEqual(state.legal_actions(1 - step % 2), [])
            self.assertEqual([a for a, one in enumerate(state.legal_actions_mask()) if one],
                             state.legal_actions())
            self.assertEqual(len(state.observation_tensor(0)), game.observation_tensor_size())
            name = state.action_to_string(step % 2, action)
            self.assertEqual(state.string_to_action(step % 2, name), action)
            after = state.child(action)
            self.assertEqual(len(state.history()), step)
            state.apply_action(action)
            self.assertEqual(str(after), str(state))
        self.assertTrue(state.is_terminal())
        self.assertEqual(state.current_player(), -4)
        self.assertEqual((state.returns(), state.rewards()), ([1.0, -1.0], [1.0, -1.0]))
        self.assertEqual(state.legal_actions(), [])
        again = game.deserialize_state(state.serialize())
        self.assertEqual((again.history(), again.state), (line, state.state))
        return game, state

    def test_tic_tac_toe(self):
        game, state = self.play_line("tic_tac_toe", self.TIC_TAC_TOE,
                                     lambda done: [a for a in range(9) if a not in done])
        self.assertEqual(game.observation_tensor_shape()[1:], [3, 3])
        self.assertEqual(len(state.history()), 7)

    def test_connect_four(self):
        game, _ = self.play_line("connect_four", self.CONNECT_FOUR,
                                 lambda done: [a for a in range(7) if done.count(a) < 6])
        self.assertEqual(game.observation_tensor_shape()[1:], [6, 7])

    def test_players_at_once(self):
        state = openspiel.Game("rock_paper_scissors").new_initial_state()
        self.assertEqual(state.current_player(), -2)
        with self.assertRaisesRegex(ValueError, "apply_actions"):
            state.apply_action(0)
        with self.assertRaisesRegex(ValueError, "name one"):
            state.legal_actions()
        with self.assertRaisesRegex(ValueError, "player 1"):
            state.apply_actions([0, 77])
        self.assertEqual(state.history(), [])
        state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[1]])
        self.assertEqual(len(state.history()), 2)

    def test_chance(self):
        deal = openspiel.Game("kuhn_poker").new_initial_state()
        self.assertEqual(deal.legal_actions_mask(), [1] * len(deal.chance_outcomes()))
        self.assertGreater(len(deal.chance_outcomes()), deal.num_distinct_actions())
        game = openspiel.Game("pig")
        random = np.random.default_rng(1)
        for _ in range(3):
            state, drawn = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes())
                    self.assertAlmostEqual(sum(chances), 1.0)
                    self.assertEqual(list(actions), state.legal_actions())
                    self.assertEqual(state.legal_actions_mask(), [1] * len(actions))
                    self.assertEqual(state.legal_actions_mask(0), [0] * game.num_distinct_actions())
                    drawn += 1
                else:
                    actions = state.legal_actions()
                    with self.assertRaisesRegex(ValueError, "chance node"):
                        state.chance_outcomes()
                state.apply_action(int(random.choice(actions)))
            self.assertGreater(drawn, 0)
            again = game.deserialize_state(state.serialize())
            self.assertEqual(again.returns(), state.returns())

    def decisions(self, state):
        """All nodes below a state in which a player chooses."""
        if state.is_terminal():
            return
        if state.is_player_node():
            yield state
        for action in state.legal_actions():
            yield from self.decisions(state.child(action))

    def test_players_are_told_what_their_roles_know(self):
        # OpenSpiel counts as many information states, with the suits of leduc_poker left out.
        for name, size in (("kuhn_poker", 12), ("leduc_poker", 288)):
            game = openspiel.Game(name)
            self.assertEqual(game.get_type().information, "IMPERFECT_INFORMATION")
            told = {}
            for state in self.decisions(game.new_initial_state()):
                player = state.current_player()
                self.assertEqual(state.information_state_string(),
                                 state.information_state_string(player))
                key = player, state.information_state_string(player)
                told.setdefault(key, state.legal_actions())
                self.assertEqual(told[key], state.legal_actions())
            self.assertEqual(len(told), size)
        self.assertEqual(openspiel.Game("nim").get_type().information, "PERFECT_INFORMATION")

    def test_dynamics(self):
        for name, dynamics in (("kuhn_poker", "SEQUENTIAL"), ("connect_four", "SEQUENTIAL"),
                               ("pig", "SEQUENTIAL"), ("rock_paper_scissors", "SIMULTANEOUS")):
            self.assertEqual(openspiel.Game(name).get_type().dynamics, dynamics, name)

    def test_whom_an_information_state_is_of(self):
        deal = openspiel.Game("kuhn_poker").new_initial_state()
        together = openspiel.Game("rock_paper_scissors").new_initial_state()
        for state in (deal, together):
            for player in (None, -1, 2):
                with self.assertRaisesRegex(ValueError, "name one"):
                    state.information_state_string(player)
        self.assertEqual(deal.information_state_string(1), "")

    def test_observations_would_tell_too_much(self):
        game = openspiel.Game("kuhn_poker")
        kind = game.get_type()
        self.assertFalse(kind.provides_observation_string or kind.provides_observation_tensor)
        state = game.new_initial_state()
        for observe in (state.observation_string, state.observation_tensor):
            with self.assertRaisesRegex(ValueError, "information_state_string"):
                observe(0)

    def test_wrong_actions(self):
        state = openspiel.Game("tic_tac_toe").new_initial_state()
        for action in (-1, 9, 10):
            with self.assertRaisesRegex(ValueError, "not legal"):
                state.apply_action(action)
        with self.assertRaisesRegex(ValueError, "one player"):
            state.apply_actions([0, 1])


if __name__ == "__main__":
    unittest.main()
