// SPDX-License-Identifier: MIT
// Reads one form of a rulesheet as a clause: a head, and a body as a formula of `and`, `or`, `not`.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// A body as it was written, in preorder: the children of node n start at n + 1, and the next
/// sibling of a child is at its `end`.
struct FormulaNode {
  enum class Kind : std::uint8_t { And, Or, Not, Sentence, Distinct };
  Kind kind;
  RelationId relation;          // of a sentence
  std::uint32_t end;            // index after the last node of the subtree
  std::vector<Term> arguments;  // of a sentence, and the two of `distinct`
  NodeIndex where;
};

/// Variables are numbered within the clause.
struct Clause {
  NodeIndex form;
  RelationId head;
  std::vector<Term> arguments;
  NodeIndex head_where;
  std::vector<FormulaNode> body;  // several conditions in a row: all must hold
  std::vector<std::string> variables;
  bool is_auxiliary = false;  // of a relation that the text does not name
};

/// Reads forms one after another into a growing `Rules`: symbols, terms and relations are interned,
/// and errors in form, keywords or spelling are reported. Never recurses.
class ClauseReader {
 public:
  ClauseReader(Rules& rules, DiagnosticList& diagnostics);

  /// nullopt if the form can't be understood; the reason has then been reported.
  std::optional<Clause> read(NodeIndex form);
  /// What the form read last was meant to define, if that much could be understood but no more.
  [[nodiscard]] std::optional<RelationId> broken_head() const { return broken_head_; }

 private:
  enum class Place : std::uint8_t { Fact, Head, Body };

  bool read_loose_atom(NodeIndex atom);
  bool read_head(NodeIndex n, Place place, Clause& clause);
  bool read_body(NodeIndex first, NodeIndex last, Clause& clause);
  bool read_condition(NodeIndex n, Clause& clause, NodeIndex& next);
  bool read_connective(NodeIndex n, const std::string& name, Clause& clause, NodeIndex& next);
  bool read_sentence(NodeIndex n, Place place, RelationId& relation, std::vector<Term>& arguments);
  std::optional<RelationId> relation_of(NodeIndex n, Place place);
  void note_keyword_place(NodeIndex n, Keyword keyword, Place place);
  std::optional<Term> read_term(NodeIndex n);
  std::optional<Term> read_list_term(NodeIndex n);
  Term read_atom_term(NodeIndex n);
  Term constant(NodeIndex n, SymbolId symbol);
  Term variable(NodeIndex n);
  SymbolId symbol(NodeIndex n);
  SymbolId term_symbol(NodeIndex n, bool is_function);
  void note_parentheses(NodeIndex n);
  /// The name node of a list, if it has one; reports otherwise.
  std::optional<NodeIndex> name_node(NodeIndex list, const char* of_what);
  bool is_variable(NodeIndex n) const { return tree_.is_atom(n) && tree_.atom(n)[0] == '?'; }
  void report(Severity severity, const char* code, std::string text, NodeIndex where);

  Rules& rules_;
  const SyntaxTree& tree_;
  DiagnosticList& diagnostics_;

  // Of the rulesheet
  std::vector<NodeIndex> first_spelled_;           // by symbol
  std::unordered_set<std::string> other_spelled_;  // reported already
  std::unordered_set<std::string> parenthesised_, misplaced_;
  /// How a constant is written: first of all, or first in the head of `legal`.
  struct Spelled {
    NodeIndex first = kNoNode;
    bool as_move = false;
  };
  std::vector<Spelled> constants_;  // by symbol
  bool in_move_ = false;            // in the head of `legal`

  // Of the clause
  std::optional<RelationId> broken_head_;
  std::unordered_map<std::string, std::uint32_t> variable_ids_;  // by folded name
  std::vector<NodeIndex> variable_nodes_;
  std::vector<std::string> variables_;
};

}  // namespace ludens::gdl
