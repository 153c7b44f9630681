// SPDX-License-Identifier: MIT
#include "server/board/declared.h"

#include <algorithm>
#include <utility>

#include "gdl/ground/grounder.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::server {

namespace {

/// Enough for any board that people look at; games of more are left as they are.
gdl::GroundingLimits limits() {
  gdl::GroundingLimits limits;
  limits.max_rows = 200'000;
  limits.max_bytes = std::size_t{64} << 20;
  return limits;
}

}  // namespace

std::optional<std::vector<Fact>> declared_facts(const gdl::Rules& rules,
                                                const Placement& placement) {
  const bool declares = std::ranges::any_of(
      rules.rules, [](const gdl::Rule& rule) { return rule.head == gdl::kBase; });
  if (!declares) return std::nullopt;
  // The rules outlive the call.
  const std::shared_ptr<const gdl::Rules> borrowed(std::shared_ptr<void>(), &rules);
  const auto program = gdl::ground(borrowed, limits(), gdl::GroundScope::WithDeclarations);
  if (!program) return std::nullopt;
  std::string state = "(";
  for (std::uint32_t r = 0; r < program->flat.relations.size(); ++r) {
    if (program->flat.relations[r].relation != gdl::kBase) continue;
    const auto shape = program->flat.relations[r].shapes.back();
    for (gdl::RowId row = 0; row < program->tuples[r].size(); ++row) {
      const std::uint32_t* columns = program->tuples[r].row(row);
      std::vector<std::uint32_t> term;
      program->append_term(shape, columns, term);
      if (gdl::fold_case(rules.symbols.spelling(term.front() / 2)) != placement.name) break;
      state += ' ' + gdl::print(rules, term);
    }
  }
  std::vector<Fact> facts = parse_state(state + " )");
  std::erase_if(facts, [&](const Fact& fact) {
    return fact.name != placement.name || fact.arguments.size() != placement.arity;
  });
  return facts;
}

}  // namespace ludens::server
