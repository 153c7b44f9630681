// SPDX-License-Identifier: MIT
// What is made from the rules of a game before a machine: the network, what is proved about it, and
// the ground rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gdl/ground/grounder.h"
#include "gdl/machine/structure.h"
#include "gdl/machine/vocabulary.h"
#include "gdl/network/build.h"
#include "gdl/network/network.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// The ground rules of a game, kept for a second network of another form. Thread-safe.
class KeptGroundRules {
 public:
  explicit KeptGroundRules(GroundProgram program);

  /// 0 once they are dropped.
  [[nodiscard]] std::size_t bytes() const;
  void drop();
  /// Builds the network as `build_network` does; nullopt if the rules were dropped.
  [[nodiscard]] std::optional<Result<Network, GroundingFailure>> build(
      Vocabulary& vocabulary, const GroundingLimits& limits, BuildForm form);

 private:
  mutable std::mutex mutex_;
  std::optional<GroundProgram> program_;
  std::size_t bytes_;
};

/// Bytes of the rows and rules, without indices.
[[nodiscard]] std::size_t bytes_of(const GroundProgram& program);

/// A fluent that no rule has: whether a role could change a group of fluents by as many of its
/// moves as this, and not by fewer (gdl/reach/).
struct ReachBit {
  std::uint32_t fluent;  // its index in the network
  std::uint32_t group;   // the index of a fluent of the group, the same for all bits of the group
  RoleIndex role;
  std::uint32_t moves;  // from 1
};

/// Immutable and shared by machines, except for the ground rules, which may be dropped at any time.
struct GameNetwork {
  Network network;
  std::shared_ptr<const Structure> structure;  // null after the first passes only
  std::vector<ReachBit> reach;                 // empty in the game's own network
  /// Groups of fluents of which random games never showed two at once. Nothing is proved.
  std::vector<std::vector<FluentId>> observed_exclusions;
  std::shared_ptr<KeptGroundRules> ground_rules;  // null: too many to be kept
};

}  // namespace ludens::gdl
