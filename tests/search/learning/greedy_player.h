// SPDX-License-Identifier: MIT
// The weakest player that a value function makes: it looks at what follows from its moves, once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/learning/value_function.h"
#include "search/self_play/self_match.h"

namespace ludens::search::test {

class GreedyPlayer final : public Contestant {
 public:
  explicit GreedyPlayer(std::shared_ptr<const ValueFunction> value) : value_(std::move(value)) {}

  /// Takes the first legal move of the other roles for what they will do: for games in turns.
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) override {
    const gdl::Machine& machine = *position.machine;
    const auto context = machine.make_context({&end, nullptr});
    const std::size_t roles = machine.role_count();
    std::vector<gdl::MoveId> moves, joint(roles), joints;
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      if (machine.legal(*context, position.state, r, moves) != gdl::Status::Ok) return {};
      joint[r] = moves.at(0);
    }
    if (machine.legal(*context, position.state, position.role, moves) != gdl::Status::Ok) return {};
    for (const gdl::MoveId move : moves) {
      joint[position.role] = move;
      joints.insert(joints.end(), joint.begin(), joint.end());
    }
    std::vector<gdl::StateMove> pairs;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      pairs.push_back({position.state, gdl::JointMove(joints).subspan(i * roles, roles)});
    }
    gdl::Expansion next;
    if (machine.expand(*context, pairs, next) != gdl::Status::Ok) return {};
    std::optional<float> best;
    gdl::MoveId chosen = gdl::kNoMove;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float worth = worth_of(next, i, position.role);
      if (best && worth <= *best) continue;
      best = worth;
      chosen = moves[i];
    }
    return chosen;
  }

 private:
  float worth_of(const gdl::Expansion& next, std::size_t pair, gdl::RoleIndex role) const {
    const std::size_t roles = value_->role_count();
    if (next.terminal[pair] != 0) return static_cast<float>(next.goals[pair * roles + role]) / 100;
    std::vector<float> values(roles);
    value_->values(value_->movers().of(next, pair), next.states[pair], mobility(next, pair, roles),
                   values);
    return values[role];
  }

  std::shared_ptr<const ValueFunction> value_;
};

}  // namespace ludens::search::test
