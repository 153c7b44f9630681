// SPDX-License-Identifier: MIT
// The phases of grounding in order.
#include "gdl/ground/grounder.h"

#include <algorithm>

#include "gdl/ground/estimate.h"
#include "gdl/ground/grounding.h"
#include "gdl/rules/components.h"

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

// Finds what depends on the state or the moves, and the outputs even if they don't. Relations that
// depend on their own negation count as dynamic, too: often only their names form a cycle, and the
// ground rules have none.
void find_dynamic(Grounding& g) {
  const std::size_t count = g.flat.relations.size();
  Graph needs(count), needed_by(count);
  for (const FlatRule& rule : g.flat.flat_rules) {
    for (const FlatLiteral& l : rule.body) {
      if (l.kind == Literal::Kind::Distinct) continue;
      needs[rule.head].push_back(l.relation);
      needed_by[l.relation].push_back(rule.head);
    }
  }
  const Components components = strong_components(needs);
  std::vector<std::uint32_t> found;
  const auto mark = [&](std::uint32_t r) {
    if (!g.dynamic[r]) found.push_back(r);
    g.dynamic[r] = true;
  };
  for (std::uint32_t r = 0; r < count; ++r) {
    if (is_output_or_given(g.flat.relations[r].relation)) mark(r);
  }
  for (const FlatRule& rule : g.flat.flat_rules) {
    for (const FlatLiteral& l : rule.body) {
      if (l.kind != Literal::Kind::Negative) continue;
      if (components.of[l.relation] == components.of[rule.head]) mark(rule.head);
    }
  }
  while (!found.empty()) {
    const std::uint32_t r = found.back();
    found.pop_back();
    for (const std::uint32_t user : needed_by[r]) mark(user);
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

// Splits what is there, and makes the program of it.
Result<GroundProgram, GroundingFailure> finish(Grounding& g, GroundingMeter& meter) {
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

}  // namespace

Result<GroundProgram, GroundingFailure> ground(std::shared_ptr<const Rules> rules,
                                               const GroundingLimits& limits, GroundScope scope) {
  auto flat = flatten(std::move(rules), limits.limits.stop, scope);
  if (!flat) return flat.error();
  Grounding g(*std::move(flat));
  GroundingMeter meter(limits, g.tuples);
  find_dynamic(g);
  evaluate_static(g, meter);
  if (!meter.over()) {
    const Domains domains(g, meter);
    if (!meter.over()) add_demand(g, domains);
  }
  return finish(g, meter);
}

}  // namespace ludens::gdl
