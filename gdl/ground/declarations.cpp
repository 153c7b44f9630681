// SPDX-License-Identifier: MIT
#include "gdl/ground/declarations.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

namespace {

class Comparison {
 public:
  Comparison(const GroundProgram& program, const StopSignal* stop)
      : program_(program), rules_(*program.flat.rules), poll_(stop) {}

  /// Rows of `reached` that `declared` lacks; both have the same arguments, the last of which is
  /// what is reported.
  void compare(RelationId reached, RelationId declared) {
    const auto rule = std::ranges::find(rules_.rules, declared, &Rule::head);
    if (rule == rules_.rules.end() || depends_on_state(declared)) return;
    std::map<std::uint32_t, Undeclared> by_name;
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (program_.flat.relations[r].relation != reached) continue;
      const Tuples* const there = declared_rows(declared, r);
      const Tuples& rows = program_.tuples[r];
      for (RowId row = 0; row < rows.size() && !poll_(16); ++row) {
        const std::uint32_t* columns = rows.row(row);
        if (there != nullptr && there->find(columns) != kNoRow) continue;
        if (reached == kDoes && !is_of_role(r, columns)) continue;
        Undeclared& found = by_name[name_of(r, columns)];
        if (found.count++ == 0) found.example = text(r, columns);
      }
    }
    for (const auto& [name, found] : by_name) report(declared, *rule, found);
  }

  Diagnostics take() { return poll_.stopped() ? Diagnostics{} : std::move(diagnostics_); }

 private:
  struct Undeclared {
    std::size_t count = 0;
    std::string example;
  };

  [[nodiscard]] bool depends_on_state(RelationId relation) const {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (program_.flat.relations[r].relation == relation && program_.dynamic[r]) return true;
    }
    return false;
  }

  [[nodiscard]] const Tuples* declared_rows(RelationId declared, std::uint32_t reached) const {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      const FlatRelation& relation = program_.flat.relations[r];
      if (relation.relation == declared &&
          relation.shapes == program_.flat.relations[reached].shapes) {
        return &program_.tuples[r];
      }
    }
    return nullptr;
  }

  // Whether the first argument is the name of a role, and no other term.
  [[nodiscard]] bool is_of_role(std::uint32_t relation, const std::uint32_t* columns) const {
    return program_.flat.relations[relation].shapes[0] == Shapes::kConstant &&
           std::ranges::any_of(rules_.roles,
                               [&](Term role) { return rules_.terms.value(role) == columns[0]; });
  }

  [[nodiscard]] std::vector<std::uint32_t> term(std::uint32_t relation,
                                                const std::uint32_t* columns) const {
    const auto& shapes = program_.flat.relations[relation].shapes;
    if (shapes.size() == 2) ++columns;  // the role
    std::vector<std::uint32_t> cells;
    program_.append_term(shapes.back(), columns, cells);
    return cells;
  }
  [[nodiscard]] std::uint32_t name_of(std::uint32_t relation, const std::uint32_t* columns) const {
    return term(relation, columns).front();
  }
  [[nodiscard]] std::string text(std::uint32_t relation, const std::uint32_t* columns) const {
    const std::string what = rules_.to_user_language(print(rules_, term(relation, columns)));
    if (program_.flat.relations[relation].shapes.size() == 1) return what;
    return what + " of " + rules_.symbols.spelling(columns[0]);
  }

  void report(RelationId declared, const Rule& rule, const Undeclared& found) {
    const bool fluent = declared == kBase;
    std::string text = found.example + (fluent ? " could hold" : " could be legal") + ", but '" +
                       (fluent                           ? "base"
                        : rules_.source->is_translated() ? "action"
                                                         : "input") +
                       "' does not declare it";
    if (found.count > 1) {
      text += ", nor " + std::to_string(found.count - 1) + " more " +
              (fluent ? "fluents" : "moves") + " of that name";
    }
    diagnostics_.push_back({Severity::Warning, fluent ? "undeclared-fluent" : "undeclared-move",
                            std::move(text), rules_.location(rule.where)});
  }

  const GroundProgram& program_;
  const Rules& rules_;
  StopPoll poll_;
  Diagnostics diagnostics_;
};

}  // namespace

Diagnostics check_declarations(const std::shared_ptr<const Rules>& rules,
                               const GroundingLimits& limits) {
  const auto declared = [&](const Rule& rule) { return rule.head == kBase || rule.head == kInput; };
  if (std::ranges::none_of(rules->rules, declared)) return {};
  const auto grounded = ground(rules, limits, GroundScope::WithDeclarations);
  if (!grounded) return {};
  Comparison comparison(*grounded, limits.limits.stop);
  comparison.compare(kTrue, kBase);
  comparison.compare(kDoes, kInput);
  return comparison.take();
}

}  // namespace ludens::gdl
