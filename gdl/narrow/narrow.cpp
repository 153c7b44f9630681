// SPDX-License-Identifier: MIT
#include "gdl/narrow/narrow.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "gdl/narrow/row_search.h"
#include "gdl/narrow/unfold.h"
#include "gdl/network/build.h"
#include "gdl/network/exclusion.h"

namespace ludens::gdl {

namespace {

using Kind = GroundingFailure::Kind;

constexpr std::uint64_t kSearchWork = 400'000'000;  // elementary steps of implications
constexpr Edge kNoEdge = 0xffffffff;
/// Bytes of the proofs for each byte of the network: two-way views, values, counters.
constexpr std::size_t kProofBytes = 4;
/// Bytes of a literal of a ground rule, in the tables of the search and of the grounder.
constexpr std::size_t kLiteralBytes = 64;

GroundingFailure too_wide() {
  return {Kind::Wide, "too many things could hold"};
}

/// Atoms that literals of the rules can stand for, ascending.
std::vector<Atom> atoms_asked(const GroundProgram& program, const std::vector<FlatRule>& rules,
                              StopPoll& poll) {
  std::vector<bool> asked(program.atoms, false);
  for (const FlatRule& rule : rules) {
    for (const FlatLiteral& l : rule.body) {
      if (l.kind == Literal::Kind::Distinct || !program.dynamic[l.relation]) continue;
      const Tuples& tuples = program.tuples[l.relation];
      for (RowId row = 0; row < tuples.size() && !poll(l.columns.size()); ++row) {
        const std::uint32_t* cells = tuples.row(row);
        bool matches = true;
        for (std::size_t c = 0; c < l.columns.size() && matches; ++c) {
          matches = l.columns[c].variable || l.columns[c].value == cells[c];
        }
        if (matches) asked[program.first_atom[l.relation] + row] = true;
      }
    }
  }
  std::vector<Atom> atoms;
  for (Atom a = 0; a < program.atoms; ++a) {
    if (asked[a]) atoms.push_back(a);
  }
  return atoms;
}

/// The ground rules that can hold; nullopt if they are not found.
std::optional<std::vector<GroundRules>> rows_that_can_hold(
    GroundProgram& program, const std::vector<FlatRule>& rules, const Network& network,
    const std::vector<Edge>& edges, const Vocabulary& vocabulary, const Limits& limits) {
  const auto groups = find_exclusive_groups(network, vocabulary, limits.stop);
  StopPoll poll(limits.stop);
  Implications facts(network, groups, kSearchWork, poll, Implications::Scope::State);
  RowSearch::Limits most;
  if (limits.memory != nullptr) {
    const std::size_t used = limits.memory->used(), limit = limits.memory->limit();
    most.literals = std::min(most.literals, (limit - std::min(used, limit)) / kLiteralBytes);
  }
  RowSearch search(program, edges, facts, poll, most);
  for (const FlatRule& rule : rules) {
    if (!search.add(rule)) return std::nullopt;
  }
  return search.take();
}

/// The ground rules that take the place of the wide ones.
Result<std::vector<GroundRules>, GroundingFailure> others(Vocabulary& vocabulary,
                                                          std::shared_ptr<const Rules> rules,
                                                          const GroundingLimits& limits) {
  auto without = ground_without_wide_rules(std::move(rules), limits);
  if (!without) return without.error();
  GroundProgram& program = without->program;
  StopPoll poll(limits.limits.stop);
  const auto unfolded = unfold(without->rules, without->wide, poll);
  if (!unfolded) return too_wide();
  const std::vector<Atom> atoms = atoms_asked(program, *unfolded, poll);
  if (poll.stopped()) return GroundingFailure{Kind::Stopped, "stopped"};
  std::vector<Edge> of_atoms;
  const auto network = build_network(program, vocabulary, limits, atoms, of_atoms);
  if (!network) return network.error();
  HeldMemory proofs;
  if (!network->feedbacks.empty() ||
      !proofs.reserve(network->gates.bytes() * kProofBytes, limits.limits.memory)) {
    return too_wide();
  }
  std::vector<Edge> edges(program.atoms, kNoEdge);
  for (std::size_t i = 0; i < atoms.size(); ++i) edges[atoms[i]] = of_atoms[i];
  auto found = rows_that_can_hold(program, *unfolded, *network, edges, vocabulary, limits.limits);
  if (!found) return too_wide();
  return *std::move(found);
}

}  // namespace

Result<GroundProgram, GroundingFailure> ground_narrowly(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits) {
  const std::shared_ptr<const Rules> rules(vocabulary, &vocabulary->rules());
  const auto instead = others(*vocabulary, rules, limits);
  if (!instead) return instead.error();
  std::size_t literals = 0;
  for (const GroundRules& form : *instead) literals += form.count * (form.form.body.size() + 1);
  HeldMemory held;
  if (!held.reserve(literals * kLiteralBytes, limits.limits.memory)) return too_wide();
  return ground_with_others(rules, *instead, limits);
}

}  // namespace ludens::gdl
