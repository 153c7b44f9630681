// SPDX-License-Identifier: MIT
#include "server/match/opening.h"

#include "gdl/machine/rng.h"

namespace ludens::server {

namespace {

constexpr int kAttempts = 100;

/// Draws a random joint move; false if some role has no move.
bool draw(const Position& position, gdl::Rng& rng, std::vector<gdl::MoveId>& out) {
  out.clear();
  for (gdl::RoleIndex role = 0; role < position.roles(); ++role) {
    const auto legal = position.legal(role);
    if (legal.empty()) return false;
    out.push_back(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  return true;
}

}  // namespace

std::vector<std::vector<gdl::MoveId>> draw_opening(Position& position, std::size_t steps,
                                                   std::uint64_t seed) {
  gdl::Rng rng(seed);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (position.begin() != gdl::Status::Ok) return {};
    std::vector<std::vector<gdl::MoveId>> opening;
    std::vector<gdl::MoveId> joint;
    while (opening.size() < steps && !position.terminal() && draw(position, rng, joint)) {
      if (position.advance(joint) != gdl::Status::Ok) return {};
      opening.push_back(joint);
    }
    if (opening.size() == steps && !position.terminal()) return opening;
  }
  return {};
}

std::vector<std::vector<gdl::MoveId>> repeat_opening(
    Position& position, const std::vector<std::vector<std::string>>& moves) {
  if (position.begin() != gdl::Status::Ok) return {};
  std::vector<std::vector<gdl::MoveId>> opening;
  for (const std::vector<std::string>& names : moves) {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex role = 0; role < names.size() && role < position.roles(); ++role) {
      if (const auto move = position.find_legal(role, names[role])) joint.push_back(*move);
    }
    if (joint.size() != position.roles() || position.terminal()) return {};
    if (position.advance(joint) != gdl::Status::Ok) return {};
    opening.push_back(std::move(joint));
  }
  return opening;
}

}  // namespace ludens::server
