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

/// Grounds like `ground`, but ends with `Wide` if relations that only goals and the end need get
/// more than `max_wide_rows` rows.
Result<GroundProgram, GroundingFailure> ground_unless_wide(std::shared_ptr<const Rules> rules,
                                                           const GroundingLimits& limits);

/// A program without the rules of wide relations and those that ask for them.
struct WithoutWideRules {
  GroundProgram program;        // what depends on these rules has no rows
  std::vector<FlatRule> rules;  // these, over the relations of the program
  std::vector<bool> wide;       // [flat relation]: unfolding it into the rules that ask for it ends
};

/// If no relation is wide, rules are set aside that only goals and the end need and that have more
/// than `max_wide_rows` instances each. `Wide` if there are none either. No rule that
/// is set aside depends on moves or on what another one says.
Result<WithoutWideRules, GroundingFailure> ground_without_wide_rules(
    std::shared_ptr<const Rules> rules, const GroundingLimits& limits);

/// Ground rules of one form.
struct GroundRules {
  FlatRule form;                     // each of its columns is a variable of its own
  std::vector<std::uint32_t> cells;  // a value for each variable, ground rule by ground rule
  std::size_t count = 0;
};

/// The whole program with others in place of the rules that `ground_without_wide_rules` sets aside.
Result<GroundProgram, GroundingFailure> ground_with_others(std::shared_ptr<const Rules> rules,
                                                           const std::vector<GroundRules>& others,
                                                           const GroundingLimits& limits);

}  // namespace ludens::gdl
