// SPDX-License-Identifier: MIT
// What the passes of the checker work on and report to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "gdl/rules/dependencies.h"
#include "gdl/rules/rule_size.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

/// One rulesheet under the checker: its rules, which relation needs which, and the diagnostics so
/// far. Finds the place in the text of what a pass reports on (a rule, an argument, a variable).
class Findings {
 public:
  Findings(const NormalisedRules& normalised, const Dependencies& dependencies,
           const Limits& limits = {}, std::size_t max_findings = SIZE_MAX);

  [[nodiscard]] const Rules& rules() const { return rules_; }
  [[nodiscard]] const Dependencies& dependencies() const { return dependencies_; }

  /// Every pass calls it with the work it has done: false once the check must end.
  [[nodiscard]] bool go_on(std::size_t work = 1) { return !exhausted_ && !poll_(work); }
  /// The same before two sentences are unified.
  [[nodiscard]] bool go_on_unifying(std::span<const Term> left, std::span<const Term> right) {
    constexpr std::size_t kStart = 16;
    return go_on(kStart + symbols_of(rules_.terms, left) + symbols_of(rules_.terms, right));
  }
  /// Reserves this many more bytes for what a pass keeps, until the check ends. If there are not
  /// that many, it returns false and the check ends.
  [[nodiscard]] bool hold(std::size_t bytes);

  /// In the text variables are written as in prefix GDL, `?x`.
  void add(Severity severity, std::string code, std::string text, NodeIndex where);
  /// Adds a diagnostic about the rulesheet as a whole.
  void add(Severity severity, std::string code, std::string text);
  /// The diagnostics, sorted by place, the more severe first. What several branches of a rule
  /// report is reported once.
  [[nodiscard]] Diagnostics take();

  /// Whether rules with that head were left out, so that what seems missing may be there.
  [[nodiscard]] bool left_out(RelationId head) const;
  /// Whether the calls of a relation were replaced by its rules, so that what is unused is used.
  [[nodiscard]] bool unfolded(RelationId relation) const { return unfolded_[relation]; }
  /// The quoted sign before a literal that must not hold.
  [[nodiscard]] std::string_view negation() const;
  /// A term as a message shows it, in the language of the rulesheet: a long one is cut.
  [[nodiscard]] std::string shown(Term t, const Rule& rule) const;

  [[nodiscard]] NodeIndex head(const Rule& rule) const;
  /// The k-th argument of the sentence at a node, or the sentence where it has no such argument.
  [[nodiscard]] NodeIndex argument(NodeIndex sentence, std::size_t k) const;
  /// The first place of a rule's variable below a node, or the node where an equality has put it.
  [[nodiscard]] NodeIndex variable(NodeIndex below, const Rule& rule, std::uint32_t variable);

 private:
  void index_variables(NodeIndex form);

  const Rules& rules_;
  const Dependencies& dependencies_;
  std::vector<bool> left_out_, unfolded_;  // by relation
  DiagnosticList diagnostics_;
  MemoryBudget* memory_;  // null: not counted
  HeldMemory held_;
  bool exhausted_ = false;  // more memory was needed than there is
  StopPoll poll_;
  // Places of the variables of the form last asked about, by folded name
  NodeIndex indexed_form_ = kNoNode;
  std::unordered_map<std::string, std::vector<NodeIndex>> variable_nodes_;
};

/// 'text'
std::string quoted(std::string_view text);

}  // namespace ludens::gdl
