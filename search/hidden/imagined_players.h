// SPDX-License-Identifier: MIT
// How roles play in playouts that hide from them what they can't know.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/hidden/belief.h"

namespace ludens::search::hidden {

struct ImaginedOptions {
  std::size_t histories = 32;  // in a belief
  std::uint32_t tries = 4;     // playouts of each move in each history
  std::uint32_t steps = 200;   // of a playout
};

/// A move for each information set: the best on average over random playouts from the histories
/// that the role considers possible there. It is computed when first needed, and kept. Uses one
/// machine, which must outlive this.
class ImaginedPlayers {
 public:
  ImaginedPlayers(std::shared_ptr<const gdl::Machine> machine, const ImaginedOptions& options,
                  gdl::Rng& rng, gdl::MemoryBudget* memory)
      : machine_(std::move(machine)), options_(options), rng_(rng), memory_(memory) {}

  /// The move of a role that knows `turns`, of which `known` is the hash (known_hash.h). `legal`
  /// must have at least two moves. Without a belief, a random one.
  gdl::Status choose(gdl::RoleIndex role, std::uint64_t known, std::span<const KnownTurn> turns,
                     std::span<const gdl::MoveId> legal, const gdl::StopSignal& stop,
                     gdl::MoveId& out);
  [[nodiscard]] std::size_t size() const { return moves_.size(); }

  /// The mean goal of a role after each of its legal moves if all roles play at random from then
  /// on: over the histories by their weights, or over `options.histories` of them, drawn at random.
  /// 0 for a move that is legal in none.
  gdl::Status rate(const Histories& histories, gdl::RoleIndex role,
                   std::span<const gdl::MoveId> legal, const gdl::StopSignal& stop,
                   std::vector<double>& out);

 private:
  std::vector<std::size_t> draw_histories(const Histories& all);
  gdl::MoveId draw(std::span<const gdl::MoveId> from) {
    return from[rng_.below(static_cast<std::uint32_t>(from.size()))];
  }

  std::shared_ptr<const gdl::Machine> machine_;
  const ImaginedOptions options_;
  gdl::Rng& rng_;
  gdl::MemoryBudget* memory_;
  std::unordered_map<std::uint64_t, gdl::MoveId> moves_;
};

}  // namespace ludens::search::hidden
