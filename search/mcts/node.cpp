// SPDX-License-Identifier: MIT
#include "search/mcts/node.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kMostNarrow = std::numeric_limits<std::uint16_t>::max();

std::span<const gdl::MoveId> all_moves(const Facts& facts) {
  const std::uint32_t first = facts.begins.front();
  return facts.moves.subspan(first, facts.begins.back() - first);
}

bool need_wide(std::span<const gdl::MoveId> moves) {
  return moves.size() > kMostNarrow ||
         std::ranges::any_of(moves, [](gdl::MoveId m) { return m > kMostNarrow; });
}

/// There is room for a number of a block, whatever the state.
std::size_t room_for(std::size_t state_words) {
  return std::max<std::size_t>(1, state_words) * sizeof(std::uint64_t);
}

}  // namespace

std::size_t Node::bytes_before_state(std::size_t roles, std::size_t moves, bool wide) {
  const std::size_t exact =
      sizeof(Node) + roles * (sizeof(double) + sizeof(Bounds)) +
      (roles + moves) * (wide ? sizeof(std::uint32_t) : sizeof(std::uint16_t));
  return (exact + alignof(std::uint64_t) - 1) / alignof(std::uint64_t) * alignof(std::uint64_t);
}

std::size_t Node::state_at() const {
  return bytes_before_state(role_count_, number(role_count_ - 1U), has(kWide));
}

std::size_t Node::bytes() const {
  return state_at() + room_for(state_words_);
}

std::size_t Node::bytes_for(const Facts& facts) {
  const auto moves = all_moves(facts);
  return bytes_before_state(facts.begins.size() - 1, moves.size(), need_wide(moves)) +
         room_for(facts.state.words().size());
}

void Node::set_number(std::size_t i, std::uint32_t value) {
  if (has(kWide)) {
    std::memcpy(numbers() + i * sizeof value, &value, sizeof value);
  } else {
    reinterpret_cast<std::uint16_t*>(numbers())[i] = static_cast<std::uint16_t>(value);
  }
}

void Node::fill(const Facts& facts) {
  const auto legal = all_moves(facts);
  role_count_ = static_cast<std::uint8_t>(facts.begins.size() - 1);
  set(kTerminal, facts.terminal);
  set(kWide, need_wide(legal));
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    set_number(r, facts.begins[r + 1] - facts.begins[0]);
  }
  std::size_t deciders = 0;
  bool stuck = false;  // the end, or a flaw of the rules
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    sums()[r] = 0;
    set_bounds(r, facts.terminal ? Bounds{facts.goals[r], facts.goals[r]} : Bounds{});
    stuck |= move_count(r) == 0;
    if (!decides(r)) continue;
    decider_ = static_cast<std::uint8_t>(r);
    ++deciders;
  }
  if (deciders > 1 || stuck) decider_ = kNobody;
  for (std::size_t i = 0; i < legal.size(); ++i) set_number(role_count_ + i, legal[i]);
  const auto words = facts.state.words();
  state_words_ = static_cast<std::uint16_t>(words.size());
  std::ranges::copy(words, state_room().begin());
}

void Node::swap_moves(gdl::RoleIndex r, std::uint32_t i, std::uint32_t j) {
  const std::size_t first = role_count_ + range_begin(r);
  const std::uint32_t move = number(first + i);
  set_number(first + i, number(first + j));
  set_number(first + j, move);
}

bool Node::agrees_with(const Facts& facts) const {
  if (terminal() != facts.terminal || facts.begins.size() != role_count_ + std::size_t{1}) {
    return false;
  }
  std::vector<gdl::MoveId> own;
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    const std::uint32_t count = facts.begins[r + 1] - facts.begins[r];
    if (count != move_count(r)) return false;
    own.clear();
    for (std::uint32_t i = 0; i < count; ++i) own.push_back(move(r, i));
    std::ranges::sort(own);
    if (!std::ranges::equal(own, facts.moves.subspan(facts.begins[r], count))) return false;
  }
  return true;
}

std::uint64_t Node::product_of_counts() const {
  std::uint64_t product = 1;
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    product *= move_count(r);
    if (product > std::numeric_limits<JointCode>::max()) return 0;
  }
  return product;
}

std::uint32_t Node::index_in(JointCode code, gdl::RoleIndex r) const {
  if (has_decider()) return r == decider_ ? code : 0;
  for (gdl::RoleIndex before = 0; before < r; ++before) code /= move_count(before);
  return code % move_count(r);
}

void Node::decode(JointCode code, std::span<gdl::MoveId> out) const {
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    const std::uint32_t count = move_count(r);
    out[r] = move(r, count == 1 ? 0 : code % count);
    code /= count;
  }
}

bool Node::encode(gdl::JointMove made, JointCode& code) const {
  if (joint_count() == 0) return false;
  code = 0;
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    const std::uint32_t count = move_count(r);
    std::uint32_t i = 0;
    while (i < count && move(r, i) != made[r]) ++i;
    if (i == count) return false;
    code += stride * i;
    stride *= count;
  }
  return true;
}

}  // namespace ludens::search::mcts
