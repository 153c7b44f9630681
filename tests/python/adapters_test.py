# SPDX-License-Identifier: MIT
"""The forms of other packages, held to their rules: the order of calls, types, seeds, masks."""
import unittest

import numpy as np

import ludens
from ludens.adapters.gymnasium import SingleRoleEnv
from ludens.adapters.pettingzoo import ParallelGame


class Gymnasium(unittest.TestCase):
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
        env = SingleRoleEnv(ludens.Game("eight_puzzle"), max_steps=3)
        _, info = env.reset()
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
        with self.assertRaises(ludens.IllegalActionError):
            env.step(illegal)
        for step in range(3):
            _, _, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
            self.assertEqual((over, cut), (False, step == 2))

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
                legal = np.flatnonzero(infos[agent]["action_mask"])
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
        self.assertEqual(observations["red"].shape, env.game.board.shape)
        self.assertTrue(env.render())
        for actions, words in (({}, "red has 7 legal actions"), ({"red": 0, "blue": 1}, "blue")):
            with self.assertRaisesRegex(ValueError, words):
                env.step(actions)
        with self.assertRaises(ludens.IllegalActionError):
            env.step({"red": 7})


if __name__ == "__main__":
    unittest.main()
