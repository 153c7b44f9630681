// SPDX-License-Identifier: MIT
// Machines whose random playouts follow a policy.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gdl/machine/machine.h"
#include "gdl/policy/policy.h"
#include "gdl/policy/tactics.h"

namespace ludens::gdl {

/// A machine, and what it took to make it; or none, and a sentence that says why this game does not
/// get it.
struct PolicyMachine {
  std::shared_ptr<const Machine> machine;
  std::string reason;
  std::size_t raw_gates = 0, gates = 0;  // of two inputs: tactics as they were found; the network
  double milliseconds = 0;
};

/// Makes machines of one game for several policies; what they have in common is found once. Used by
/// one thread at a time. What can be had depends on counts, not on the clock, unless it is stopped.
class PolicyWorkshop {
 public:
  /// `machine` should be sliced; policies of others are refused.
  explicit PolicyWorkshop(std::shared_ptr<const Machine> machine);
  ~PolicyWorkshop();
  PolicyWorkshop(const PolicyWorkshop&) = delete;
  PolicyWorkshop& operator=(const PolicyWorkshop&) = delete;

  /// A sentence if there are no policies whatever the game is; empty if that depends on the game.
  [[nodiscard]] std::string refusal() const;

  /// A machine that differs from the given one in its playouts alone: states and answers are the
  /// same; what it holds beside that is counted against `limits.memory`, which outlives it. For
  /// `Uniform` it is the given one. Refused where no move wins at once, or the network grows too
  /// much.
  PolicyMachine make(PlayoutPolicy policy, const Limits& limits = {});

 private:
  struct Parts;
  std::string prepare(bool with_avoided, const Limits& limits);
  std::string find(bool with_avoided, const Limits& limits);

  std::shared_ptr<const Machine> machine_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ludens::gdl
