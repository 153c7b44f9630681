// SPDX-License-Identifier: MIT
#include "search/hidden/continuations.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "gdl/memory/hash.h"
#include "search/hidden/sampling.h"

namespace ludens::search::hidden {

namespace {

/// The number of proposals per call of the machine.
constexpr std::size_t kAsked = 2048;

bool allows(const Histories& histories, std::size_t i, gdl::RoleIndex role, gdl::MoveId own) {
  return std::ranges::binary_search(histories.legal(i, role), own);
}

/// The probability of any moves of the other roles after a history: they choose uniformly.
double chance_of_others(const Histories& histories, std::size_t i, gdl::RoleIndex role) {
  double chance = 1;
  for (gdl::RoleIndex r = 0; r < histories.roles; ++r) {
    if (r != role) chance *= 1 / static_cast<double>(histories.legal(i, r).size());
  }
  return chance;
}

/// The joint moves after one history, in order.
class JointMoves {
 public:
  JointMoves(const Histories& histories, std::size_t i, gdl::RoleIndex role, gdl::MoveId own)
      : histories_(histories), i_(i), role_(role), at_(histories.roles, 0), joint_(at_.size()) {
    for (gdl::RoleIndex r = 0; r < joint_.size(); ++r) {
      if (r == role_) {
        joint_[r] = own;
      } else if (const auto moves = histories_.legal(i_, r); !moves.empty()) {
        joint_[r] = moves.front();
      } else {
        done_ = true;
      }
    }
  }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] gdl::JointMove joint() const { return joint_; }
  void advance() {
    for (gdl::RoleIndex r = 0; r < joint_.size(); ++r) {
      if (r == role_) continue;
      const auto moves = histories_.legal(i_, r);
      at_[r] = at_[r] + 1 < moves.size() ? at_[r] + 1 : 0;
      joint_[r] = moves[at_[r]];
      if (at_[r] != 0) return;
    }
    done_ = true;
  }

 private:
  const Histories& histories_;
  const std::size_t i_;
  const gdl::RoleIndex role_;
  std::vector<std::size_t> at_;  // [role]: index of its move
  std::vector<gdl::MoveId> joint_;
  bool done_ = false;
};

/// Histories drawn by weight and moves of the others uniformly, one proposal for equal ones.
class Sampler {
 public:
  Sampler(const Histories& before, gdl::RoleIndex role, gdl::MoveId own, gdl::Rng& rng)
      : before_(before), role_(role), own_(own), rng_(rng) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!allows(before, i, role, own) || before.choices_of_others(i, role) == 0) continue;
      open_.push_back(i);
      cumulative_.add(before.weights[i]);
    }
  }
  [[nodiscard]] bool possible() const { return !open_.empty(); }

  /// Draws `count` times; proposes what was not drawn before, and counts repetitions.
  void draw(std::size_t count, Proposals& proposals, Histories& out) {
    proposals.clear();
    keys_.clear();
    for (std::size_t n = 0; n < count; ++n) {
      const double share = (static_cast<double>(n) + rng_.uniform()) / static_cast<double>(count);
      const std::size_t place = cumulative_.at(share);
      draw_moves(open_[place]);
      const auto [known, is_new] =
          outcomes_.try_emplace(key_, kPending - static_cast<std::int64_t>(keys_.size()));
      if (is_new) {
        keys_.push_back(key_);
        proposals.from.push_back(open_[place]);
        proposals.joints.insert(proposals.joints.end(), joint_.begin(), joint_.end());
        proposals.weights.push_back(1);
      } else if (known->second < 0 && known->second > kMisfit) {
        proposals.weights[static_cast<std::size_t>(kPending - known->second)] += 1;
      } else if (known->second >= 0) {
        out.weights[static_cast<std::size_t>(known->second)] += 1;
        ++fitted_;
      }
    }
  }

  /// Takes the results of the proposals: the kept ones are in `out` from `first` on.
  void learn(const Proposals& proposals, const std::vector<std::size_t>& kept, std::size_t first) {
    for (const auto key : keys_) outcomes_[key] = kMisfit;
    for (std::size_t n = 0; n < kept.size(); ++n) {
      outcomes_[keys_[kept[n]]] = static_cast<std::int64_t>(first + n);
      fitted_ += static_cast<std::size_t>(proposals.weights[kept[n]]);
    }
  }
  /// The number of draws that fit.
  [[nodiscard]] std::size_t fitted() const { return fitted_; }

 private:
  static constexpr std::int64_t kMisfit = INT64_MIN;
  static constexpr std::int64_t kPending = -1;  // and below: the proposal is pending

  void draw_moves(std::size_t history) {
    joint_.clear();
    key_ = gdl::mix(gdl::kHashStart, history);
    for (gdl::RoleIndex r = 0; r < before_.roles; ++r) {
      joint_.push_back(r == role_ ? own_ : draw_move(history, r));
      key_ = gdl::mix(key_, joint_.back());
    }
  }

  gdl::MoveId draw_move(std::size_t history, gdl::RoleIndex role) {
    const auto legal = before_.legal(history, role);
    return legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
  }

  const Histories& before_;
  const gdl::RoleIndex role_;
  const gdl::MoveId own_;
  gdl::Rng& rng_;
  std::vector<std::size_t> open_;  // histories that can continue
  CumulativeWeights cumulative_;   // by their weights
  /// By a hash of history and moves: its place among those that fit, or what is known about it.
  std::unordered_map<std::uint64_t, std::int64_t> outcomes_;
  std::vector<std::uint64_t> keys_;  // [proposal]
  std::vector<gdl::MoveId> joint_;   // drawn last
  std::uint64_t key_ = 0;            // of it
  std::size_t fitted_ = 0;
};

}  // namespace

double joint_moves(const Histories& before, gdl::RoleIndex role, gdl::MoveId own) {
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (allows(before, i, role, own)) sum += before.choices_of_others(i, role);
  }
  return sum;
}

Continued enumerate(const Histories& before, gdl::RoleIndex role, const KnownTurn& turn,
                    MatchPhase match, std::size_t most, TurnFilter& filter) {
  Continued result{.histories = {.roles = before.roles, .turns = before.turns + 1}};
  Proposals proposals;
  std::vector<std::size_t> kept;
  const auto ask = [&] {
    result.status = filter.run(before, proposals, turn, match, result.histories, kept);
    proposals.clear();
    return result.status == gdl::Status::Ok && result.histories.size() <= most;
  };
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!allows(before, i, role, turn.own)) continue;
    const double weight = before.weights[i] * chance_of_others(before, i, role);
    for (JointMoves moves(before, i, role, turn.own); !moves.done(); moves.advance()) {
      const auto joint = moves.joint();
      proposals.from.push_back(i);
      proposals.joints.insert(proposals.joints.end(), joint.begin(), joint.end());
      proposals.weights.push_back(weight);
      if (proposals.size() == kAsked && !ask()) return result;
    }
  }
  result.complete = proposals.size() == 0 || ask();
  return result;
}

Continued sample(const Histories& before, gdl::RoleIndex role, const KnownTurn& turn,
                 MatchPhase match, std::size_t most, std::size_t most_tried, TurnFilter& filter,
                 gdl::Rng& rng) {
  Continued result{.histories = {.roles = before.roles, .turns = before.turns + 1}};
  Sampler sampler(before, role, turn.own, rng);
  Proposals proposals;
  std::vector<std::size_t> kept;
  for (std::size_t tried = 0; sampler.possible() && tried < most_tried;) {
    if (sampler.fitted() >= most) break;
    const std::size_t count = std::min(kAsked, most);
    sampler.draw(count, proposals, result.histories);
    tried += count;
    const std::size_t first = result.histories.size();
    if (proposals.size() == 0) continue;
    result.status = filter.run(before, proposals, turn, match, result.histories, kept);
    if (result.status != gdl::Status::Ok) break;
    sampler.learn(proposals, kept, first);
  }
  return result;
}

}  // namespace ludens::search::hidden
