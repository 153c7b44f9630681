// SPDX-License-Identifier: MIT
// From rules to everything that could ever hold, be legal or be done; ground rules over it are made
// one by one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/ground/grounding_limits.h"
#include "gdl/ground/tuples.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// A ground atom: a row of a relation that depends on the state or on the moves. Dense, from 0.
using Atom = std::uint32_t;
/// An atom or its negation: `atom * 2 + negative`.
using AtomLiteral = std::uint32_t;

/// What could ever hold, and the rules that say why: `Instances` (instances.h) makes ground rules
/// from them. `true` and `does` atoms have no rules: they are given.
struct GroundProgram {
  FlatProgram flat;
  std::deque<Tuples> tuples;     // [flat relation]
  std::vector<bool> dynamic;     // [flat relation]: whether its rows are atoms
  std::vector<bool> filter;      // [flat relation]: whether it restricts instances and vanishes
                                 // from them
  std::vector<Atom> first_atom;  // [flat relation], where dynamic
  Atom atoms = 0;
  std::uint64_t ground_rules = 0;  // how many were made from it, once a network was built
  /// The atom of a row, found by its relation and columns; nullopt if nothing derives it.
  [[nodiscard]] std::optional<Atom> find(std::uint32_t relation,
                                         const std::uint32_t* columns) const;
  /// Appends the argument that begins at a column as a `GroundTerm`; `shape` is the argument's.
  void append_term(Shapes::Id shape, const std::uint32_t*& column,
                   std::vector<std::uint32_t>& out) const;
};

/// Semi-naive evaluation of the relaxed program - what could ever be true, legal, done, if every
/// negation that depends on the state were true. Static relations are evaluated once. `base` and
/// `input` are neither needed nor trusted; `check_declarations` compares them.
Result<GroundProgram, GroundingFailure> ground(std::shared_ptr<const Rules> rules,
                                               const GroundingLimits& limits,
                                               GroundScope scope = GroundScope::Playing);

}  // namespace ludens::gdl
