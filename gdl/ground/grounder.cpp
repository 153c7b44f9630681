// SPDX-License-Identifier: MIT
// The phases of grounding in order.
#include "gdl/ground/grounder.h"

#include <algorithm>

#include "gdl/ground/grounding.h"

namespace ludens::gdl {

std::optional<Atom> GroundProgram::find(std::uint32_t relation,
                                        const std::uint32_t* columns) const {
  const RowId row = tuples[relation].find(columns);
  if (row == kNoRow || !dynamic[relation]) return std::nullopt;
  return first_atom[relation] + row;
}

void GroundProgram::append_term(Shapes::Id shape, const std::uint32_t*& column,
                                std::vector<std::uint32_t>& out) const {
  if (shape == Shapes::kConstant) {
    out.push_back(*column++ * 2);
    return;
  }
  const auto& children = flat.shapes.children(shape);
  out.push_back(flat.shapes.functor(shape) * 2 + 1);
  out.push_back(static_cast<std::uint32_t>(children.size()));
  for (const Shapes::Id child : children) append_term(child, column, out);
}

namespace {

// Finds what depends on the state or the moves, and the outputs even if they don't.
void find_dynamic(Grounding& g) {
  for (std::size_t r = 0; r < g.flat.relations.size(); ++r) {
    switch (g.flat.relations[r].relation) {
      case kTrue:
      case kDoes:
      case kNext:
      case kLegal:
      case kSees:
      case kGoal:
      case kTerminal:
        g.dynamic[r] = true;
        break;
      default:
        break;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const FlatRule& rule : g.flat.flat_rules) {
      if (g.dynamic[rule.head]) continue;
      for (const FlatLiteral& l : rule.body) {
        if (l.kind == Literal::Kind::Distinct || !g.dynamic[l.relation]) continue;
        g.dynamic[rule.head] = changed = true;
        break;
      }
    }
  }
}

// Rows of dynamic relations become atoms, numbered relation by relation.
void number_atoms(GroundProgram& program) {
  program.first_atom.assign(program.tuples.size(), 0);
  for (std::size_t r = 0; r < program.tuples.size(); ++r) {
    if (!program.dynamic[r]) continue;
    program.first_atom[r] = program.atoms;
    program.atoms += program.tuples[r].size();
  }
}

// What could ever hold, be legal or be done.
void reach(Grounding& g, GroundingMeter& meter) {
  std::vector<const FlatRule*> rules;
  for (const FlatRule& rule : g.flat.flat_rules) rules.push_back(&rule);
  std::vector<std::uint32_t> growing;
  for (std::uint32_t r = 0; r < g.dynamic.size(); ++r) {
    if (g.dynamic[r]) growing.push_back(r);
  }
  meter.current_rule = 0;
  evaluate(g, rules, growing, false, meter);
}

}  // namespace

Result<GroundProgram, GroundingFailure> ground(std::shared_ptr<const Rules> rules,
                                               const GroundingLimits& limits, GroundScope scope) {
  auto flat = flatten(std::move(rules), limits.limits.stop, scope);
  if (!flat) return flat.error();
  Grounding g(*std::move(flat));
  GroundingMeter meter(limits, g.tuples);
  find_dynamic(g);
  evaluate_static(g, meter);
  if (!meter.over()) add_demand(g, meter);
  if (!meter.over()) split_bodies(g, meter);
  if (!meter.over()) reach(g, meter);
  if (meter.over() || meter.check()) return *meter.failure;
  GroundProgram out;
  out.flat = std::move(g.flat);
  out.tuples = std::move(g.tuples);
  out.dynamic = std::move(g.dynamic);
  out.filter = std::move(g.filter);
  for (Tuples& tuples : out.tuples) tuples.drop_indices();
  number_atoms(out);
  return out;
}

}  // namespace ludens::gdl
