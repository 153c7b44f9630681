// SPDX-License-Identifier: MIT
#include "gdl/network/game_network.h"

#include <utility>

#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

namespace {

void drop_indices(GroundProgram& program) {
  for (Tuples& tuples : program.tuples) tuples.drop_indices();
}

}  // namespace

std::size_t bytes_of(const GroundProgram& program) {
  std::size_t bytes = bytes_of(program.first_atom, program.flat.relations, program.flat.flat_rules);
  for (const Tuples& tuples : program.tuples) bytes += tuples.bytes();
  for (const FlatRelation& relation : program.flat.relations) bytes += bytes_of(relation.shapes);
  for (const FlatRule& rule : program.flat.flat_rules) {
    bytes += bytes_of(rule.columns, rule.body);
    for (const FlatLiteral& literal : rule.body) bytes += bytes_of(literal.columns);
  }
  return bytes;
}

KeptGroundRules::KeptGroundRules(GroundProgram program) : program_(std::move(program)) {
  drop_indices(*program_);
  bytes_ = bytes_of(*program_);
}

std::size_t KeptGroundRules::bytes() const {
  const std::lock_guard lock(mutex_);
  return program_ ? bytes_ : 0;
}

void KeptGroundRules::drop() {
  const std::lock_guard lock(mutex_);
  program_.reset();
}

std::optional<Result<Network, GroundingFailure>> KeptGroundRules::build(
    Vocabulary& vocabulary, const GroundingLimits& limits, BuildForm form) {
  const std::lock_guard lock(mutex_);
  if (!program_) return std::nullopt;
  auto built = build_network(*program_, vocabulary, limits, form);
  drop_indices(*program_);
  return built;
}

}  // namespace ludens::gdl
