#include "search/mcts/node.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

/// What the allocator adds to a block, on the average.
constexpr std::size_t kBlockOverhead = 16;

std::size_t block_bytes(std::size_t count, std::size_t each) {
  return count == 0 ? 0 : count * each + kBlockOverhead;
}

}  // namespace

void Node::fill(const Facts& facts, std::uint16_t machine_epoch) {
  const std::size_t roles = facts.begins.size() - 1;
  roles_count_ = static_cast<std::uint16_t>(roles);
  terminal = facts.terminal;
  roles_ = std::make_unique<RoleStatistics[]>(roles + 1);
  std::uint32_t edge = 0;
  for (std::size_t r = 0; r <= roles; ++r) {
    roles_[r].first_move = facts.begins[r] - facts.begins[0];
    roles_[r].first_edge = edge;
    if (r == roles) break;
    const std::uint32_t count = facts.begins[r + 1] - facts.begins[r];
    if (count > 1) edge += count;
    if (terminal) roles_[r].bounds = {facts.goals[r], facts.goals[r]};
  }
  const std::size_t moves = roles_[roles].first_move;
  if (moves > 0) moves_ = std::make_unique_for_overwrite<gdl::MoveId[]>(moves);
  std::copy_n(facts.moves.begin() + facts.begins[0], moves, moves_.get());
  restate(facts.state, machine_epoch);
}

void Node::restate(gdl::StateView state, std::uint16_t machine_epoch) {
  const auto words = state.words();
  if (words.size() != word_count_) {
    word_count_ = static_cast<std::uint32_t>(words.size());
    words_ =
        word_count_ > 0 ? std::make_unique_for_overwrite<std::uint64_t[]>(word_count_) : nullptr;
  }
  std::ranges::copy(words, words_.get());
  epoch = machine_epoch;
}

void Node::clear() {
  *this = Node();
}

bool Node::agrees_with(const Facts& facts) const {
  if (terminal != facts.terminal || facts.begins.size() != roles_count_ + std::size_t{1}) {
    return false;
  }
  for (gdl::RoleIndex r = 0; r < roles_count_; ++r) {
    const auto theirs = facts.moves.subspan(facts.begins[r], facts.begins[r + 1] - facts.begins[r]);
    if (!std::ranges::equal(moves(r), theirs)) return false;
  }
  return true;
}

std::uint64_t Node::joint_count() const {
  std::uint64_t product = 1;
  for (gdl::RoleIndex r = 0; r < roles_count_; ++r) {
    product *= move_count(r);
    if (product > std::numeric_limits<JointCode>::max()) return 0;
  }
  return product;
}

std::uint32_t Node::index_in(JointCode code, gdl::RoleIndex r) const {
  for (gdl::RoleIndex before = 0; before < r; ++before) code /= move_count(before);
  return code % move_count(r);
}

void Node::decode(JointCode code, std::span<gdl::MoveId> out) const {
  for (gdl::RoleIndex r = 0; r < roles_count_; ++r) {
    out[r] = moves(r)[code % move_count(r)];
    code /= move_count(r);
  }
}

bool Node::encode(gdl::JointMove moves_made, JointCode& code) const {
  if (joint_count() == 0) return false;
  code = 0;
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < roles_count_; ++r) {
    const auto legal = moves(r);
    const auto found = std::ranges::find(legal, moves_made[r]);
    if (found == legal.end()) return false;
    code += stride * static_cast<JointCode>(found - legal.begin());
    stride *= move_count(r);
  }
  return true;
}

void Node::grow() {
  const std::uint32_t count = roles_[roles_count_].first_edge;
  if (count > 0) edges_ = std::make_unique<Edge[]>(count);
  grown_ = true;
}

Node::Slot& Node::slot(JointCode code) const {
  std::uint32_t i = code & (slot_count_ - 1);
  while (slots_[i].node != kNoNode && slots_[i].code != code) i = (i + 1) & (slot_count_ - 1);
  return slots_[i];
}

NodeId Node::child(JointCode code) const {
  return slot_count_ == 0 ? kNoNode : slot(code).node;
}

std::size_t Node::bytes_for_child() const {
  if (4 * (child_count_ + 1) <= 3 * slot_count_) return 0;
  return slot_count_ == 0 ? block_bytes(4, sizeof(Slot)) : slot_count_ * sizeof(Slot);
}

void Node::set_child(JointCode code, NodeId child) {
  if (bytes_for_child() > 0) {
    const std::uint32_t old_count = slot_count_;
    const auto old = std::move(slots_);
    slot_count_ = old_count == 0 ? 4 : 2 * old_count;
    slots_ = std::make_unique<Slot[]>(slot_count_);
    for (std::uint32_t i = 0; i < old_count; ++i) {
      if (old[i].node != kNoNode) slot(old[i].code) = old[i];
    }
  }
  Slot& place = slot(code);
  if (place.node == kNoNode) ++child_count_;
  place = {code, child};
}

std::size_t Node::bytes_for(const Facts& facts) {
  const std::size_t moves = facts.begins.back() - facts.begins.front();
  return block_bytes(facts.state.words().size(), sizeof(std::uint64_t)) +
         block_bytes(facts.begins.size(), sizeof(RoleStatistics)) +
         block_bytes(moves, sizeof(gdl::MoveId));
}

std::size_t Node::bytes_for_growth() const {
  return block_bytes(roles_[roles_count_].first_edge, sizeof(Edge));
}

std::size_t Node::bytes() const {
  return block_bytes(word_count_, sizeof(std::uint64_t)) +
         block_bytes(roles_count_ + std::size_t{1}, sizeof(RoleStatistics)) +
         block_bytes(roles_[roles_count_].first_move, sizeof(gdl::MoveId)) +
         (grown_ ? bytes_for_growth() : 0) + block_bytes(slot_count_, sizeof(Slot));
}

}  // namespace ludens::search::mcts
