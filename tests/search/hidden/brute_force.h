// SPDX-License-Identifier: MIT
// All histories that fit what a role knows, by trying everything with single calls of the machine.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/hidden/belief.h"

namespace ludens::search::hidden::tests {

using History = std::vector<gdl::MoveId>;
/// Each with its probability.
using Weighed = std::map<History, double>;

class BruteForce {
 public:
  BruteForce(const gdl::Machine& machine, gdl::RoleIndex role, std::span<const KnownTurn> known)
      : machine_(machine), role_(role), known_(known), context_(machine.make_context()) {}

  Weighed run() {
    gdl::State initial;
    EXPECT_EQ(machine_.initial(*context_, initial), gdl::Status::Ok);
    follow(initial, {}, 1);
    double sum = 0;
    for (const auto& [history, weight] : found_) sum += weight;
    for (auto& [history, weight] : found_) weight /= sum;
    return found_;
  }

 private:
  void follow(const gdl::State& state, const History& history, double weight) {
    bool over = false;
    EXPECT_EQ(machine_.terminal(*context_, state, over), gdl::Status::Ok);
    if (over) return;
    if (history.size() == known_.size() * machine_.role_count()) {
      found_[history] = weight;
      return;
    }
    choose(state, history, {}, weight);
  }

  void choose(const gdl::State& state, const History& history, const History& joint,
              double weight) {
    const auto role = static_cast<gdl::RoleIndex>(joint.size());
    const KnownTurn& turn = known_[history.size() / machine_.role_count()];
    if (role == machine_.role_count()) return make(state, history, joint, weight, turn);
    std::vector<gdl::MoveId> legal;
    EXPECT_EQ(machine_.legal(*context_, state, role, legal), gdl::Status::Ok);
    for (const gdl::MoveId move : legal) {
      if (role == role_ && move != turn.own) continue;
      History more = joint;
      more.push_back(move);
      choose(state, history, more,
             role == role_ ? weight : weight / static_cast<double>(legal.size()));
    }
  }

  void make(const gdl::State& state, const History& history, const History& joint, double weight,
            const KnownTurn& turn) {
    std::vector<gdl::PerceptId> seen;
    EXPECT_EQ(machine_.percepts(*context_, state, joint, role_, seen), gdl::Status::Ok);
    if (seen != turn.percepts) return;
    gdl::State after;
    EXPECT_EQ(machine_.next(*context_, state, joint, after), gdl::Status::Ok);
    History longer = history;
    longer.insert(longer.end(), joint.begin(), joint.end());
    follow(after, longer, weight);
  }

  const gdl::Machine& machine_;
  const gdl::RoleIndex role_;
  std::span<const KnownTurn> known_;
  std::unique_ptr<gdl::Machine::Context> context_;
  Weighed found_;
};

inline Weighed brute_force(const gdl::Machine& machine, gdl::RoleIndex role,
                           std::span<const KnownTurn> known) {
  return BruteForce(machine, role, known).run();
}

/// What the belief holds.
inline Weighed weighed(const Belief& belief) {
  Weighed all;
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const auto history = belief.history(i);
    const bool is_new =
        all.try_emplace(History(history.begin(), history.end()), belief.weight(i)).second;
    EXPECT_TRUE(is_new);
  }
  return all;
}

/// The same histories, with the same weights.
inline void expect_same(const Weighed& found, const Weighed& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (auto a = found.begin(), b = expected.begin(); a != found.end(); ++a, ++b) {
    ASSERT_EQ(a->first, b->first);
    ASSERT_NEAR(a->second, b->second, 1e-9);
  }
}

}  // namespace ludens::search::hidden::tests
