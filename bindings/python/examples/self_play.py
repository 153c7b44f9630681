# SPDX-License-Identifier: MIT
"""Learning as AlphaZero does: a linear network, tree search, self-play, and a curve in a PNG."""
import numpy as np

import ludens
from ludens.curve import save_curves


class Network:
    """Values of players and priors of actions, linear in pairs of facts that hold."""

    def __init__(self, game: ludens.Game):
        self.pairs, self.players = np.triu_indices(len(game.fluents)), len(game.players)
        self.actions = [(p, a) for p in range(len(game.players)) for a in game.actions(p)]
        self.weights = np.zeros((len(self.pairs[0]), self.players + len(self.actions)))

    def judge(self, observations: np.ndarray, masks: np.ndarray) -> tuple:
        x = (observations[:, self.pairs[0]] & observations[:, self.pairs[1]]).astype(float)
        odds = np.exp(np.clip(x @ self.weights, -30, 30))
        values, chances = odds[:, :self.players], odds[:, self.players:] * masks
        return x, values / (1 + values), chances / chances.sum(axis=1, keepdims=True)

    def evaluate(self, leaves: ludens.Leaves) -> tuple:
        return self.judge(leaves.observations, leaves.masks)[1:]

    def learn(self, observations, masks, policy, results) -> None:
        x, values, priors = self.judge(observations, masks)
        self.weights += 0.1 * x.T @ np.hstack([results - values, policy - priors]) / len(x)


def self_play(game, player, random) -> list:  # (observation, mask, shares, results)
    state, seen, net = game.initial, [], player.evaluator
    while not state.is_terminal:
        legal, role = state.legal_moves(), (state.to_move or [0])[0]
        choice = player.choose(state, role, seconds=60)
        visits = {(role, m.move): m.move == choice.move if choice.exact else m.visits + 0.5
                  for m in choice.root}  # visits of proved moves mean nothing
        shares = [visits.get(action, 0.0) / sum(visits.values()) for action in net.actions]
        seen.append((state.observation, [a in legal[p] for p, a in net.actions], shares))
        state = state.play(net.actions[random.choice(len(shares), p=shares)][1])
    return [position + (np.array(state.goals) / 100,) for position in seen]


def main(game="tic_tac_toe", rounds=9, games=40, nodes=100, picture="self_play.png") -> float:
    game, random, seen, curve = ludens.Game(game), np.random.default_rng(1), [], []
    player = ludens.Player(f"value:nodes={nodes},exploration=1,seed=1", evaluator=Network(game))
    judged = ludens.Player("value:nodes=12,seed=1", evaluator=player.evaluator)  # of few nodes
    for number in range(rounds):
        test = ludens.Tournament([game], {"net": judged, "mcts": "mcts:playouts=1000"}, rounds=10)
        curve.append((number, min(s.mean for s in test.play() if s.name == "net")))
        print(f"after {number * games} games: {curve[-1][1]:.1f} of 100 against mcts", flush=True)
        seen += [p for _ in range(games) for p in self_play(game, player, random)]
        for batch in random.integers(len(seen), size=(300, 128)):
            player.evaluator.learn(*map(np.array, zip(*(seen[i] for i in batch))))
        save_curves(picture, {"mean goal": curve})
    return min(m.goals[m.players.index("net")] for m in test.matches)  # of the last round


if __name__ == "__main__":
    main()
