// SPDX-License-Identifier: MIT
#include "search/learning/play_comparison.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ludens::search {

namespace {

using gdl::Status;
using Words = std::vector<std::uint64_t>;

/// States with more joint moves are not compared.
constexpr std::size_t kMostMoves = 512;

/// The number of joint moves in a state, as far as they are compared.
std::size_t joint_moves(const std::vector<std::vector<gdl::MoveId>>& legal) {
  std::size_t count = 1;
  for (const auto& moves : legal) count = std::min(count * moves.size(), kMostMoves + 1);
  return count;
}

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

}  // namespace

bool PlayComparison::add(const Words& state) {
  Known known{state, {}, {}};
  if (!legal_moves(state, known.legal)) return false;
  const std::size_t moves = joint_moves(known.legal);
  if (moves == 0 || moves > kMostMoves) return true;
  if (!find_successors(state, known.legal, known.successors)) return false;
  known_.push_back(std::move(known));
  return true;
}

bool PlayComparison::is_alike(const BitPermutation& image) {
  return !known_.empty() &&
         std::ranges::all_of(known_, [&](const Known& known) { return is_alike(known, image); });
}

bool PlayComparison::legal_moves(const Words& state, Legal& legal) {
  legal.resize(roles_);
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (machine_.legal(context_, gdl::StateView(state), r, legal[r]) != Status::Ok) return false;
  }
  return true;
}

bool PlayComparison::find_successors(const Words& state, const Legal& legal,
                                     std::vector<Successor>& out) {
  const std::size_t count = joint_moves(legal);
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
    pairs_.push_back({gdl::StateView(state), gdl::JointMove(joints_).subspan(i * roles_, roles_)});
  }
  if (machine_.expand(context_, pairs_, next_) != Status::Ok) return false;
  out.clear();
  for (std::size_t i = 0; i < count; ++i) out.push_back(successor(i));
  return true;
}

PlayComparison::Successor PlayComparison::successor(std::size_t pair) const {
  const auto words = next_.states[pair].words();
  const bool end = next_.terminal[pair] != 0;
  Successor out{{words.begin(), words.end()}, {end ? std::size_t{1} : 0}};
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    out.facts.push_back(end ? next_.goals[pair * roles_ + r] : next_.legal(pair, r, roles_).size());
  }
  return out;
}

bool PlayComparison::is_alike(const Known& known, const BitPermutation& image) {
  const Words state = image_of(known.state, image);
  if (!legal_moves(state, legal_)) return false;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (legal_[image_of_role(r)].size() != known.legal[r].size()) return false;
  }
  if (!find_successors(state, legal_, after_)) return false;
  images_ = known.successors;
  for (Successor& successor : images_) {
    successor.state = image_of(successor.state, image);
    if (exchanged_) std::swap(successor.facts[1], successor.facts[2]);
  }
  std::ranges::sort(images_);
  std::ranges::sort(after_);
  return images_ == after_;
}

}  // namespace ludens::search
