// SPDX-License-Identifier: MIT
// Machines whose random playouts follow a policy.
#pragma once

#include <memory>
#include <string>

#include "gdl/machine/machine.h"
#include "gdl/policy/policy.h"
#include "gdl/policy/tactics.h"

namespace ludens::gdl {

/// A machine, and figures about its making; or none, and a sentence that says why this game can't
/// have it.
struct PolicyMachine {
  std::shared_ptr<const Machine> machine;
  std::string reason;
  std::size_t raw_gates = 0, gates = 0;  // of two inputs: tactics as they were found; the network
  double milliseconds = 0;
};

/// Makes machines of one game for several policies; what they have in common is found once. Used by
/// one thread at a time. Unless it is stopped, the result depends on counts, not on the clock.
class PolicyWorkshop {
 public:
  /// `machine` should be sliced; policies of others are refused.
  explicit PolicyWorkshop(std::shared_ptr<const Machine> machine);
  ~PolicyWorkshop();
  PolicyWorkshop(const PolicyWorkshop&) = delete;
  PolicyWorkshop& operator=(const PolicyWorkshop&) = delete;

  /// Why this machine can't have any policy, as a sentence; empty if it may have one (the game
  /// decides).
  [[nodiscard]] std::string refusal() const;

  /// A machine that differs from the given one only in its playouts: states and answers are the
  /// same. The memory that it holds in addition is counted against `limits.memory`, which must
  /// outlive it. For `Uniform` it is the given machine. Refused if no move wins at once, or if the
  /// network grows too much.
  PolicyMachine make(PlayoutPolicy policy, const Limits& limits = {});

 private:
  struct Parts;
  std::string prepare(bool with_avoided, const Limits& limits);
  std::string find(bool with_avoided, const Limits& limits);

  std::shared_ptr<const Machine> machine_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ludens::gdl
