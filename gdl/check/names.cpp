// SPDX-License-Identifier: MIT
// A pass of the checker: relations that are defined nowhere, never used, or of several arities.
#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

#include "gdl/check/passes.h"
#include "gdl/text/nearest_name.h"

namespace ludens::gdl {

namespace {

/// Looking for a suggestion takes time for each name and each candidate.
constexpr std::size_t kMaxSuggestions = 50;

/// One sentence lists arities in at most this many letters.
constexpr std::size_t kLongestList = 500;

std::string arguments(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

class NameCheck {
 public:
  explicit NameCheck(Findings& findings)
      : findings_(findings),
        rules_(findings.rules()),
        defined_(rules_.relations.size()),
        first_use_(rules_.relations.size(), kNoNode) {
    for (RelationId r = 0; r < defined_.size(); ++r) {
      defined_[r] = !findings.dependencies().rules_of[r].empty() || findings.left_out(r);
    }
    for (const Rule& rule : rules_.rules) {
      for (const Literal& l : rule.body) {
        if (l.kind == Literal::Kind::Distinct) continue;
        first_use_[l.relation] = std::min(first_use_[l.relation], l.where);
      }
    }
  }

  void run() {
    collect_names();
    for (RelationId r = kKeywordCount; r < defined_.size(); ++r) {
      if (!findings_.go_on()) return;
      if (!defined_[r] && first_use_[r] != kNoNode) report_undefined(r);
      if (defined_[r] && first_use_[r] == kNoNode) report_unused(r);
    }
    for (const auto& [name, relations] : relations_of_) {
      if (!findings_.go_on(relations.size())) return;
      report_arities(relations);
    }
    check_functions();
  }

 private:
  void collect_names() {
    for (RelationId r = kKeywordCount; r < defined_.size(); ++r) {
      if (!defined_[r]) continue;
      known_names_.push_back(rules_.name(r));
      relations_of_[rules_.relations[r].name].push_back(r);
    }
    for (RelationId k = 0; k < kKeywordCount; ++k) known_names_.push_back(rules_.name(k));
    for (const Keyword keyword : {kInit, kNext}) {
      for (const std::uint32_t i : findings_.dependencies().rules_of[keyword]) {
        const Term t = rules_.rules[i].arguments[0];
        if (rules_.terms.kind(t) == Terms::Kind::Variable) continue;
        fluents_.insert(signature(rules_.terms.value(t), rules_.terms.arguments(t).size()));
      }
    }
  }

  static std::uint64_t signature(SymbolId name, std::size_t arity) {
    return (std::uint64_t{name} << 32) | arity;
  }

  void report_undefined(RelationId r) {
    const Relation relation = rules_.relations[r];
    const auto others = relations_of_.find(relation.name);
    if (others == relations_of_.end()) {
      findings_.add(Severity::Warning, "undefined-relation",
                    quoted(rules_.name(r)) + " is defined nowhere, always false" + suggestion(r),
                    first_use_[r]);
      return;
    }
    std::string known;
    for (const RelationId other : others->second) {
      if (!findings_.go_on() || known.size() > kLongestList) break;
      if (!known.empty()) known += " or ";
      known += arguments(rules_.relations[other].arity);
    }
    findings_.add(Severity::Warning, "undefined-arity",
                  quoted(rules_.name(r)) + " is defined with " + known + ", used with " +
                      std::to_string(relation.arity),
                  first_use_[r]);
  }

  std::string suggestion(RelationId r) {
    const Relation relation = rules_.relations[r];
    const std::string& name = rules_.name(r);
    if (fluents_.contains(signature(relation.name, relation.arity))) {
      return "; did you mean (true " + (relation.arity == 0 ? name : "(" + name + " ...)") + ")?";
    }
    if (std::string said = comparison(name, relation.arity); !said.empty()) return said;
    if (++suggestions_ > kMaxSuggestions) return "";
    return did_you_mean(name, known_names_,
                        [&](std::size_t steps) { return findings_.go_on(steps); });
  }

  /// How GDL says what the signs of other languages say of two terms; empty for anything else.
  static std::string comparison(std::string_view name, std::uint32_t arity) {
    constexpr std::string_view kDiffer[] = {"/=", "!=", "\\=", "\\==", "<>", "neq"};
    if (arity != 2) return "";
    if (std::ranges::find(kDiffer, name) != std::end(kDiffer)) {
      return "; that two terms differ is (distinct TERM TERM)";
    }
    if (name != "=" && name != "==") return "";
    return "; that two terms are the same is (not (distinct TERM TERM)), or one variable for both";
  }

  /// The head of the first rule of a relation, if its rules are not left out.
  [[nodiscard]] NodeIndex first_head(RelationId r) const {
    const auto& own = findings_.dependencies().rules_of[r];
    return own.empty() ? kNoNode : findings_.head(rules_.rules[own.front()]);
  }

  void report_unused(RelationId r) {
    const NodeIndex where = first_head(r);
    if (where == kNoNode || findings_.unfolded(r)) return;
    findings_.add(Severity::Note, "unused-relation",
                  quoted(rules_.name(r)) + " is defined but never used", where);
  }

  void report_arities(const std::vector<RelationId>& relations) {
    for (std::size_t i = 1; i < relations.size(); ++i) {
      const NodeIndex where = first_head(relations[i]);
      if (where == kNoNode) continue;
      findings_.add(Severity::Note, "several-arities",
                    quoted(rules_.name(relations[i])) + " is defined with " +
                        arguments(rules_.relations[relations[0]].arity) + " and with " +
                        std::to_string(rules_.relations[relations[i]].arity) +
                        ": taken as different relations",
                    where);
    }
  }

  void check_functions() {
    std::vector<bool> seen(rules_.terms.size());
    for (const Rule& rule : rules_.rules) {
      if (!findings_.go_on()) return;
      for (const Term t : rule.arguments) visit(t, findings_.head(rule), seen);
      for (const Literal& l : rule.body) {
        for (const Term t : l.arguments) visit(t, l.where, seen);
      }
    }
  }

  void visit(Term t, NodeIndex sentence, std::vector<bool>& seen) {
    std::vector<Term> pending{t};
    while (!pending.empty()) {
      const Term top = pending.back();
      pending.pop_back();
      if (seen[top]) continue;
      seen[top] = true;
      if (rules_.terms.kind(top) != Terms::Kind::Compound) continue;
      const auto inner = rules_.terms.arguments(top);
      note_function(rules_.terms.value(top), inner.size(), sentence);
      pending.insert(pending.end(), inner.rbegin(), inner.rend());
    }
  }

  void note_function(SymbolId functor, std::size_t arity, NodeIndex sentence) {
    const auto [entry, is_new] = function_arity_.try_emplace(functor, arity);
    if (is_new || entry->second == arity) return;
    if (!reported_functions_.insert(signature(functor, arity)).second) return;
    findings_.add(Severity::Note, "several-arities",
                  quoted(rules_.symbols.spelling(functor)) + " is a function of " +
                      arguments(static_cast<std::uint32_t>(entry->second)) + " and of " +
                      std::to_string(arity) + ": taken as different functions",
                  function_node(functor, arity, sentence));
  }

  /// Where below a sentence the function is written.
  [[nodiscard]] NodeIndex function_node(SymbolId functor, std::size_t arity,
                                        NodeIndex sentence) const {
    const SyntaxTree& tree = *rules_.source;
    for (NodeIndex n = sentence + 1; n + 1 < tree.end(sentence) && findings_.go_on(); ++n) {
      if (tree.is_list(n) && tree.is_atom(n + 1) && tree.child_count(n) == arity + 1 &&
          fold_case(tree.atom(n + 1)) == rules_.symbols.folded(functor)) {
        return n;
      }
    }
    return sentence;
  }

  Findings& findings_;
  const Rules& rules_;
  std::vector<bool> defined_;                                 // by relation
  std::vector<NodeIndex> first_use_;                          // by relation
  std::vector<std::string_view> known_names_;                 // for suggestions
  std::map<SymbolId, std::vector<RelationId>> relations_of_;  // defined ones of a name
  std::unordered_set<std::uint64_t> fluents_;  // signatures in heads of init and next
  std::unordered_map<SymbolId, std::size_t> function_arity_;
  std::unordered_set<std::uint64_t> reported_functions_;
  std::size_t suggestions_ = 0;
};

}  // namespace

void check_names(Findings& findings) {
  NameCheck(findings).run();
}

}  // namespace ludens::gdl
