// SPDX-License-Identifier: MIT
#include "search/value/node.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace ludens::search::value {

std::size_t Node::bytes_for(const Shape& shape) {
  return sizeof(Node) + std::size_t{shape.words} * sizeof(std::uint64_t) +
         bounds_at(shape) * sizeof(float) +
         std::size_t{shape.roles} * (shape.children + 1) * sizeof(Bounds);
}

Node& Node::make(std::byte* block, const Shape& shape) {
  std::memset(block, 0, bytes_for(shape));
  Node& node = *new (block) Node(shape);
  std::fill_n(node.all_bounds(), std::size_t{shape.roles} * (shape.children + 1), Bounds());
  return node;
}

float Node::option_value(gdl::RoleIndex role, std::uint32_t option) {
  float sum = 0;
  std::uint32_t count = 0;
  for (std::uint32_t child = 0; child < shape_.children; ++child) {
    if (place(child)[role] != option) continue;
    sum += values(role)[child];
    ++count;
  }
  return count == 0 ? 0.5F : sum / static_cast<float>(count);
}

void Node::joint_move(std::uint32_t child, std::span<gdl::MoveId> out) {
  if (kind == Kind::AtOnce) {
    const auto options = place(child);
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = option_moves()[options[r]];
    return;
  }
  std::ranges::copy(first_moves(), out.begin());
  out[decider] = moves()[child];
}

std::uint32_t Node::find(gdl::JointMove moves) {
  std::vector<gdl::MoveId> of_child(shape_.roles);
  for (std::uint32_t child = 0; child < shape_.children; ++child) {
    joint_move(child, of_child);
    if (std::ranges::equal(of_child, moves)) return child;
  }
  return shape_.children;
}

}  // namespace ludens::search::value
