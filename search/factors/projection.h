// SPDX-License-Identifier: MIT
// Projects states of a whole game to states of its parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::factors {

inline constexpr std::uint32_t kNoFactor = 0xffffffff;

/// Decomposes states by the factors of the machine's structure. The machine must outlive it.
class Projection {
 public:
  explicit Projection(const gdl::Machine& machine);

  /// Reads a state. Unless that returns Ok, nothing is known about it.
  gdl::Status read(gdl::Machine::Context& context, gdl::StateView state);
  /// A key for the state of a factor in the state read, independent of the other factors.
  [[nodiscard]] const gdl::StateHash& key(std::uint32_t factor) const { return keys_[factor]; }
  /// Appends the fluents of a factor that hold in the state read, ascending.
  void append_fluents(std::uint32_t factor, std::vector<gdl::FluentId>& out) const;

  [[nodiscard]] std::uint32_t factor_of(gdl::FluentId fluent) const {
    return fluent < factor_of_.size() ? factor_of_[fluent] : kNoFactor;
  }
  /// The factor that contains all these fluents; `kNoFactor` if there is no such factor.
  [[nodiscard]] std::uint32_t factor_of_all(std::span<const gdl::FluentId> fluents) const;

 private:
  const gdl::Machine& machine_;
  std::vector<std::uint32_t> factor_of_;  // [fluent]
  std::vector<gdl::StateHash> names_;     // [fluent]: random
  std::vector<gdl::FluentId> fluents_;    // of the state read
  std::vector<gdl::StateHash> keys_;      // [factor], of the state read
};

}  // namespace ludens::search::factors
