// SPDX-License-Identifier: MIT
// A rulesheet in the interpreter's own terms, for tests of its parts: asks and answers in text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/compiler.h"
#include "gdl/interpreter/loaded_game.h"
#include "gdl/interpreter/state_evaluation.h"
#include "gdl/machine/vocabulary.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl::interpreter {

/// Keeps the rules alive and translates between names and numbers.
class CompiledRules {
 public:
  explicit CompiledRules(const std::string& rulesheet)
      : rules_(normalise_text(rulesheet).rules), clauses_(*rules_, game_.program) {}

  [[nodiscard]] const Rules& rules() const { return *rules_; }
  [[nodiscard]] LoadedGame& game() { return game_; }
  [[nodiscard]] Program& program() { return game_.program; }
  [[nodiscard]] Clauses& clauses() { return clauses_; }

  [[nodiscard]] std::uint32_t relation(std::string_view name, std::uint32_t arity) const {
    const auto id = rules_->find_relation(name, arity);
    EXPECT_TRUE(id) << name;
    return id.value_or(0);
  }
  [[nodiscard]] const Relation& operator()(std::string_view name, std::uint32_t arity) const {
    return clauses_[relation(name, arity)];
  }
  /// A constant that occurs in the rules.
  [[nodiscard]] TermId constant(std::string_view name) {
    const auto symbol = rules_->symbols.find(name);
    EXPECT_TRUE(symbol) << name;
    return program().terms.constant(symbol.value_or(0));
  }
  [[nodiscard]] std::string text(TermId term) {
    std::vector<std::uint32_t> cells;
    program().terms.write(term, cells);
    return gdl::print(*rules_, cells);
  }

  /// Compiles a procedure with all that it calls.
  ProcedureId compile(std::string_view name, const Mode& mode, const Choices& choices = {}) {
    Compiler compiler(program(), clauses_, choices);
    const auto arity = static_cast<std::uint32_t>(mode.size());
    const ProcedureId procedure = compiler.require(relation(name, arity), mode);
    compiler.finish();
    return procedure;
  }

 private:
  std::shared_ptr<const Rules> rules_;
  LoadedGame game_;
  Clauses clauses_;
};

/// One state, given by its fluents, in which procedures are asked.
class Asked {
 public:
  static constexpr std::uint64_t kMuch = 10'000'000;

  explicit Asked(CompiledRules& rules, const Limits& limits = {})
      : rules_(rules), evaluation_(rules.game(), limits) {
    evaluation_.limit_work(kMuch);
  }

  [[nodiscard]] StateEvaluation& evaluation() { return evaluation_; }
  /// Answers of one column in the order in which they were derived; `none` where it can't say.
  std::vector<std::string> ordered(ProcedureId procedure, const std::vector<TermId>& key = {}) {
    std::vector<TermId> answers;
    if (!evaluation_.answers(procedure, key.data(), answers)) return {"none"};
    std::vector<std::string> names;
    for (const TermId answer : answers) names.push_back(rules_.text(answer));
    return names;
  }
  std::vector<std::string> operator()(ProcedureId procedure, const std::vector<TermId>& key = {}) {
    std::vector<std::string> names = ordered(procedure, key);
    std::ranges::sort(names);
    return names;
  }
  /// Whether a procedure without columns has its answer.
  bool holds(ProcedureId procedure, const std::vector<TermId>& key = {}) {
    std::uint32_t call = 0;
    EXPECT_TRUE(evaluation_.evaluate(procedure, key.data(), call));
    return evaluation_.tables().memos[procedure]->call(call).count != 0;
  }

 private:
  CompiledRules& rules_;
  StateEvaluation evaluation_;
};

}  // namespace ludens::gdl::interpreter
