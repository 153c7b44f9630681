// SPDX-License-Identifier: MIT
// Playout policies: how moves are chosen in random playouts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ludens::gdl {

/// A winning move ends the game at once with goal 100 for the role that makes it; where roles move
/// simultaneously, it does so if the others do nothing. All but `Uniform` make a winning move if
/// there is one (Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree
/// search algorithms", 2010); otherwise they choose uniformly among
enum class PlayoutPolicy : std::uint8_t {
  Uniform,    // the legal moves
  Decisive,   // the legal moves
  HalfBlock,  // as Block or as Decisive, by the toss of a coin at every step
  Block,      // the legal moves that would win if the other role made them, if there are any
  Avoid,      // the legal moves after which the other role has no winning move, if there are any
};

struct PolicyInfo {
  PlayoutPolicy policy;
  std::string_view name, letter, meaning;
};

/// In the order above.
inline constexpr PolicyInfo kPlayoutPolicies[] = {
    {PlayoutPolicy::Uniform, "uniform", "U", "any legal move"},
    {PlayoutPolicy::Decisive, "decisive", "D", "a move that wins at once, otherwise any"},
    {PlayoutPolicy::HalfBlock, "halfblock", "H", "decisive, and every other time block"},
    {PlayoutPolicy::Block, "block", "B", "decisive, otherwise where the other role would win"},
    {PlayoutPolicy::Avoid, "avoid", "L", "decisive, otherwise what leaves the other role no win"},
};
std::string_view to_string(PlayoutPolicy policy);
/// By name or letter.
std::optional<PlayoutPolicy> find_policy(std::string_view name);

}  // namespace ludens::gdl
