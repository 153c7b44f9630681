#include "search/mcts/node.h"

#include <algorithm>
#include <cstring>

namespace ludens::search::mcts {

namespace {

bool need_wide(std::span<const gdl::MoveId> moves) {
  return std::ranges::any_of(
      moves, [](gdl::MoveId m) { return m > std::numeric_limits<std::uint16_t>::max(); });
}

std::span<const gdl::MoveId> all_moves(const Facts& facts) {
  const std::uint32_t first = facts.begins.front();
  return facts.moves.subspan(first, facts.begins.back() - first);
}

}  // namespace

std::size_t Node::bytes(std::size_t roles, std::size_t moves, bool wide) {
  return sizeof(Node) + roles * (sizeof(double) + sizeof(std::uint32_t) + sizeof(Bounds)) +
         sizeof(std::uint32_t) + moves * (wide ? sizeof(gdl::MoveId) : sizeof(std::uint16_t));
}

std::size_t Node::bytes_for(const Facts& facts) {
  const auto moves = all_moves(facts);
  return bytes(facts.begins.size() - 1, moves.size(), need_wide(moves));
}

void Node::fill(const Facts& facts) {
  const auto legal = all_moves(facts);
  role_count_ = static_cast<std::uint8_t>(facts.begins.size() - 1);
  terminal_ = facts.terminal;
  wide_moves_ = need_wide(legal);
  for (gdl::RoleIndex r = 0; r <= role_count_; ++r) {
    first_moves()[r] = facts.begins[r] - facts.begins[0];
  }
  std::size_t deciders = 0;
  bool stuck = false;  // the end, or a flaw of the rules
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    sums()[r] = 0;
    all_bounds()[r] = facts.terminal ? Bounds{facts.goals[r], facts.goals[r]} : Bounds{};
    stuck |= move_count(r) == 0;
    if (!decides(r)) continue;
    decider_ = static_cast<std::uint8_t>(r);
    ++deciders;
  }
  if (deciders > 1 || stuck) decider_ = kNobody;
  auto* const out = reinterpret_cast<std::byte*>(all_bounds() + role_count_);
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (wide_moves_) {
      std::memcpy(out + i * sizeof(gdl::MoveId), &legal[i], sizeof(gdl::MoveId));
    } else {
      const auto narrow = static_cast<std::uint16_t>(legal[i]);
      std::memcpy(out + i * sizeof narrow, &narrow, sizeof narrow);
    }
  }
}

gdl::MoveId Node::move(gdl::RoleIndex r, std::uint32_t i) const {
  const std::size_t at = first_moves()[r] + i;
  if (!wide_moves_) return narrow_moves()[at];
  gdl::MoveId wide = 0;
  std::memcpy(&wide, reinterpret_cast<const std::byte*>(narrow_moves()) + at * sizeof wide,
              sizeof wide);
  return wide;
}

bool Node::agrees_with(const Facts& facts) const {
  if (terminal_ != facts.terminal || facts.begins.size() != role_count_ + std::size_t{1}) {
    return false;
  }
  for (gdl::RoleIndex r = 0; r < role_count_; ++r) {
    const std::uint32_t count = facts.begins[r + 1] - facts.begins[r];
    if (count != move_count(r)) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (move(r, i) != facts.moves[facts.begins[r] + i]) return false;
    }
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
