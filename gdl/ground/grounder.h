// From rules to ground rules: every instance of a rule that could ever matter in play.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/ground/tuples.h"
#include "gdl/machine/limits.h"

namespace ludens::gdl {

/// What a grounding may cost beyond stop signal and memory.
struct GroundingLimits {
  Limits limits;
  std::uint64_t max_instances = 60'000'000;
  std::uint64_t max_rows = 30'000'000;  // of all relations together
};

/// A ground atom: a row of a relation that depends on the state or on the moves. Dense, from 0.
using Atom = std::uint32_t;
/// An atom or its negation: `atom * 2 + negative`.
using AtomLiteral = std::uint32_t;

/// The ground rules. `true` and `does` atoms have no rules: they are given.
struct GroundProgram {
  FlatProgram flat;
  std::deque<Tuples> tuples;     // [flat relation]
  std::vector<bool> dynamic;     // [flat relation]: its rows are atoms
  std::vector<Atom> first_atom;  // [flat relation], where dynamic
  Atom atoms = 0;
  std::vector<Atom> heads;           // [instance]
  std::vector<std::uint64_t> begin;  // [instance], one more at the end: into literals
  std::vector<AtomLiteral> literals;

  [[nodiscard]] std::span<const AtomLiteral> body(std::size_t instance) const {
    return std::span(literals).subspan(begin[instance], begin[instance + 1] - begin[instance]);
  }
  /// The atom of a row, found by its relation and columns; nullopt if nothing derives it.
  [[nodiscard]] std::optional<Atom> find(std::uint32_t relation,
                                         const std::uint32_t* columns) const;
  /// Appends the argument that begins at a column as a `GroundTerm`; `shape` is the argument's.
  void append_term(Shapes::Id shape, const std::uint32_t*& column,
                   std::vector<std::uint32_t>& out) const;
};

/// Semi-naive evaluation of the relaxed program - what could ever be true, legal, done, if every
/// negation that depends on the state were true - and then every instance of every rule over it.
/// Static relations are evaluated once and vanish from the bodies. `base` and `input` are not
/// needed and not believed.
std::variant<GroundProgram, GroundingFailure> ground(std::shared_ptr<const Rules> rules,
                                                     const GroundingLimits& limits);

}  // namespace ludens::gdl
