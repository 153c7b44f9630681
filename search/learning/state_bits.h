// SPDX-License-Identifier: MIT
// What learning has to know of a machine beyond its moves: which fluent each bit of a state is, and
// what its gates look at. The one place where learning looks into a machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/network/game_network.h"

namespace ludens::search {

/// Bits of a machine's states, and its network. Immutable.
class StateBits {
 public:
  /// nullopt for a machine whose states are no sets of bits, or whose network is not kept.
  static std::optional<StateBits> of(const gdl::Machine& machine);

  /// [bit]: bit `i % 64` of word `i / 64` of a state tells whether fluent i holds.
  [[nodiscard]] const std::vector<gdl::FluentId>& fluents() const { return fluents_; }
  [[nodiscard]] std::size_t size() const { return fluents_.size(); }
  [[nodiscard]] std::size_t words() const { return (fluents_.size() + 63) / 64; }

  /// [bit]: whether it depends on the fluent which moves are legal.
  [[nodiscard]] std::vector<bool> decide_moves() const;
  /// The sets of variables that single gates depend on, as far as they are 2 to `most`: each set
  /// once, ascending. `variable_of`: [bit], kNoVariable for what does not count.
  static constexpr std::uint32_t kNoVariable = 0xffffffff;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> looked_at_together(
      std::span<const std::uint32_t> variable_of, std::size_t most) const;

 private:
  explicit StateBits(std::shared_ptr<const gdl::GameNetwork> game);

  std::shared_ptr<const gdl::GameNetwork> game_;
  std::vector<gdl::FluentId> fluents_;
};

}  // namespace ludens::search
