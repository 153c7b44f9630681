// SPDX-License-Identifier: MIT
#include "search/learning/symmetries.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "search/learning/renamings.h"

namespace ludens::search {

namespace {

using gdl::Status;
using Words = std::vector<std::uint64_t>;

/// States of the middle of games on which a symmetry is tested, in addition to the last ones.
constexpr std::size_t kStates = 32;
/// States with more joint moves are not used for tests.
constexpr std::size_t kMostMoves = 512;

/// What a joint move leads to.
struct Successor {
  Words state;
  std::vector<std::size_t> facts;  // [role]: legal moves, or the goal, and whether this is an end

  friend std::strong_ordering operator<=>(const Successor&, const Successor&) = default;
  friend bool operator==(const Successor&, const Successor&) = default;
};

Words image_of(const Words& state, const BitPermutation& image) {
  Words out(state.size(), 0);
  for (std::size_t w = 0; w < state.size(); ++w) {
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1) {
      const std::uint32_t bit = image[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
      out[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
  return out;
}

/// Compares games that go on from states and from their images.
class SymmetryTest {
 public:
  SymmetryTest(const gdl::Machine& machine, gdl::Machine::Context& context)
      : machine_(machine), context_(context), roles_(machine.role_count()) {}

  /// Adds a state on which permutations are tested, unless it has too many moves. False if the
  /// machine was stopped.
  bool add(const Words& state) {
    Known known{state, {}, {}};
    if (!moves_of(state, known.legal)) return false;
    std::size_t joint = 1;
    for (const auto& moves : known.legal) joint *= moves.size();
    if (joint == 0 || joint > kMostMoves) return true;
    if (!successors_of(state, known.legal, known.successors)) return false;
    known_.push_back(std::move(known));
    return true;
  }

  /// Whether the game goes on in the same way after the permutation, from all states.
  bool passes(const BitPermutation& image) {
    return !known_.empty() &&
           std::ranges::all_of(known_, [&](const Known& known) { return passes(known, image); });
  }

 private:
  using Legal = std::vector<std::vector<gdl::MoveId>>;  // [role]
  struct Known {
    Words state;
    Legal legal;
    std::vector<Successor> successors;
  };

  bool moves_of(const Words& state, Legal& legal) {
    legal.resize(roles_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      if (machine_.legal(context_, gdl::StateView(state), r, legal[r]) != Status::Ok) return false;
    }
    return true;
  }

  bool successors_of(const Words& state, const Legal& legal, std::vector<Successor>& out) {
    std::size_t count = 1;
    for (const auto& moves : legal) count *= moves.size();
    joints_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t left = i;
      for (const auto& moves : legal) {
        joints_.push_back(moves[left % moves.size()]);
        left /= moves.size();
      }
    }
    pairs_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      pairs_.push_back(
          {gdl::StateView(state), gdl::JointMove(joints_).subspan(i * roles_, roles_)});
    }
    if (machine_.expand(context_, pairs_, next_) != Status::Ok) return false;
    out.clear();
    for (std::size_t i = 0; i < count; ++i) out.push_back(successor(i));
    return true;
  }

  [[nodiscard]] Successor successor(std::size_t pair) const {
    const auto words = next_.states[pair].words();
    const bool end = next_.terminal[pair] != 0;
    Successor out{{words.begin(), words.end()}, {end ? std::size_t{1} : 0}};
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      out.facts.push_back(end ? next_.goals[pair * roles_ + r]
                              : next_.legal(pair, r, roles_).size());
    }
    return out;
  }

  bool passes(const Known& known, const BitPermutation& image) {
    const Words state = image_of(known.state, image);
    if (!moves_of(state, legal_)) return false;
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      if (legal_[r].size() != known.legal[r].size()) return false;
    }
    if (!successors_of(state, legal_, after_)) return false;
    images_ = known.successors;
    for (Successor& successor : images_) successor.state = image_of(successor.state, image);
    std::ranges::sort(images_);
    std::ranges::sort(after_);
    return images_ == after_;
  }

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  std::size_t roles_;
  std::vector<Known> known_;
  // Reused from test to test.
  std::vector<gdl::MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion next_;
  Legal legal_;
  std::vector<Successor> after_, images_;
};

/// The permutation in terms of variables; empty if it moves none of their fluents.
Symmetry symmetry_of(const BitPermutation& image, const StateBits& bits,
                     const std::vector<Variable>& variables) {
  std::map<gdl::FluentId, std::uint32_t> bit_of;
  for (std::uint32_t b = 0; b < bits.size(); ++b) bit_of[bits.fluents()[b]] = b;
  Symmetry out;
  bool moves = false;
  for (const Variable& variable : variables) {
    auto& images = out.emplace_back();
    for (const gdl::FluentId fluent : variable.fluents) {
      images.push_back(bits.fluents()[image[bit_of.at(fluent)]]);
      moves = moves || images.back() != fluent;
    }
  }
  return moves ? out : Symmetry{};
}

/// Whether the images of variables' fluents are fluents of variables, too.
bool stays_among(const std::vector<Variable>& variables, const Symmetry& symmetry) {
  std::set<gdl::FluentId> all;
  for (const Variable& v : variables) all.insert(v.fluents.begin(), v.fluents.end());
  return std::ranges::all_of(symmetry, [&](const auto& images) {
    return std::ranges::all_of(images, [&](gdl::FluentId f) { return all.contains(f); });
  });
}

}  // namespace

std::vector<Symmetry> find_symmetries(const gdl::Machine& machine, gdl::Machine::Context& context,
                                      const StateBits& bits, const Observations& seen,
                                      const std::vector<Variable>& variables, gdl::Rng& rng) {
  SymmetryTest test(machine, context);
  for (std::size_t i = 0; i < kStates; ++i) {
    if (!test.add(seen.state(rng.below(static_cast<std::uint32_t>(seen.size()))))) return {};
  }
  for (const Words& state : seen.last_states()) {
    if (!test.add(state)) return {};
  }
  std::set<gdl::FluentId> fluents;
  for (const Variable& v : variables) fluents.insert(v.fluents.begin(), v.fluents.end());
  std::vector<bool> varies;
  for (const gdl::FluentId f : bits.fluents()) varies.push_back(fluents.contains(f));
  std::vector<Symmetry> found;
  for_each_renaming(*machine.vocabulary(), bits, varies, [&](const BitPermutation& image) {
    if (!test.passes(image)) return true;
    Symmetry symmetry = symmetry_of(image, bits, variables);
    if (symmetry.empty() || !stays_among(variables, symmetry)) return true;
    if (std::ranges::find(found, symmetry) == found.end()) found.push_back(std::move(symmetry));
    return found.size() < TupleForm::kMostSymmetries;
  });
  return found;
}

}  // namespace ludens::search
