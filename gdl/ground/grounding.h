// SPDX-License-Identifier: MIT
// The work in progress of the grounder, shared by its phases; no other code includes this.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/ground/grounding_limits.h"
#include "gdl/ground/join.h"
#include "gdl/ground/tuples.h"
#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

/// Counts the work of a grounding and reserves its memory.
class GroundingMeter final : public WorkMeter {
 public:
  GroundingMeter(const GroundingLimits& limits, std::deque<Tuples>& tuples)
      : limits_(limits), tuples_(tuples) {}

  /// Set when `over()`: the reason.
  std::optional<GroundingFailure> failure;
  std::uint32_t current_rule = 0;  // source, for the failure
  std::uint64_t instances = 0;
  /// Bytes that count in addition to the tuples: what is made from them. May be empty.
  std::function<std::size_t()> beside;
  /// Checks all limits now.
  bool check();

 private:
  bool exhausted() override { return check(); }
  bool fail(GroundingFailure::Kind kind, const char* text);

  const GroundingLimits limits_;
  std::deque<Tuples>& tuples_;
  HeldMemory held_;
};

class Domains;

struct Grounding {
  FlatProgram flat;
  std::deque<Tuples> tuples;  // [flat relation]
  std::vector<bool> dynamic;  // [flat relation]: depends on `true` or `does`, or is an output
  std::vector<bool> filter;   // [flat relation]: demand; restricts instances and vanishes from them

  explicit Grounding(FlatProgram program) : flat(std::move(program)) { adopt_relations(); }
  /// Creates tuples for relations that were added to `flat`.
  void adopt_relations();
};

/// Evaluates rules to their least fixpoint, semi-naively. `recursive` are the relations that grow
/// meanwhile. If exact, negations are evaluated (their relations are complete); otherwise negations
/// of dynamic relations count as true.
void evaluate(Grounding& g, const std::vector<const FlatRule*>& rules,
              const std::vector<std::uint32_t>& recursive, bool exact, WorkMeter& meter);

/// Evaluates all static relations, stratum by stratum, and drops their rules.
void evaluate_static(Grounding& g, GroundingMeter& meter);

/// Restricts large relations that are only ever queried with all arguments bound to the tuples that
/// are queried, by a demand relation (magic set) that is derived from the querying bodies.
void add_demand(Grounding& g, const Domains& domains);

/// Splits long bodies where few variables cross: the part that holds a variable becomes an
/// auxiliary relation over the variables it shares with the rest, where that at least halves the
/// estimated work.
void split_bodies(Grounding& g, GroundingMeter& meter);

}  // namespace ludens::gdl
