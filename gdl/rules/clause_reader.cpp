// SPDX-License-Identifier: MIT
#include "gdl/rules/clause_reader.h"

namespace ludens::gdl {

namespace {

/// The most names that are reported to be spelled in several ways.
constexpr std::size_t kMostSpellings = 10'000;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

ClauseReader::ClauseReader(Rules& rules, DiagnosticList& diagnostics)
    : rules_(rules), tree_(*rules.source), diagnostics_(diagnostics) {}

void ClauseReader::report(Severity severity, const char* code, std::string text, NodeIndex where) {
  diagnostics_.add({severity, code, std::move(text), rules_.location(where)});
}

std::optional<Clause> ClauseReader::read(NodeIndex form) {
  variable_ids_.clear();
  variable_nodes_.clear();
  variables_.clear();
  broken_head_.reset();
  if (tree_.is_atom(form) && !read_loose_atom(form)) return std::nullopt;
  Clause clause;
  clause.form = form;
  const NodeIndex first = tree_.is_list(form) ? tree_.child(form, 0) : kNoNode;
  const bool is_rule = first != kNoNode && tree_.is_atom(first) && tree_.atom(first) == "<=";
  if (!is_rule) {
    if (!read_head(form, Place::Fact, clause)) return std::nullopt;
  } else {
    const NodeIndex head = tree_.child(form, 1);
    if (head == kNoNode) {
      report(Severity::Error, "no-head", "rule without a head", form);
      return std::nullopt;
    }
    const bool good_head = read_head(head, Place::Head, clause);
    const bool good_body = read_body(tree_.end(head), tree_.end(form), clause);
    if (good_head && !good_body) broken_head_ = clause.head;
    if (!good_head || !good_body) return std::nullopt;
    if (clause.body.empty()) {
      report(Severity::Note, "rule-without-body", "rule without a body: a fact", form);
    }
  }
  clause.variables = std::move(variables_);
  return clause;
}

/// An atom outside any list is a fact without arguments, according to the specification and the
/// reference host, unless it is a variable or a word that means nothing alone.
bool ClauseReader::read_loose_atom(NodeIndex atom) {
  const std::string folded = fold_case(tree_.atom(atom));
  const auto keyword = find_keyword(folded);
  const bool is_fact = !is_variable(atom) && !is_connective(folded) &&
                       (!keyword || keyword_form(*keyword).arity == 0);
  report(is_fact ? Severity::Note : Severity::Error, "loose-atom",
         quoted(tree_.atom(atom)) + " stands outside any " + (is_fact ? "list: a fact" : "rule"),
         atom);
  if (!is_fact && keyword) broken_head_ = *keyword;
  return is_fact;
}

bool ClauseReader::read_head(NodeIndex n, Place place, Clause& clause) {
  clause.head_where = n;
  return read_sentence(n, place, clause.head, clause.arguments);
}

bool ClauseReader::read_body(NodeIndex first, NodeIndex last, Clause& clause) {
  struct Open {
    std::uint32_t formula;
    NodeIndex end;
  };
  std::vector<Open> open;
  bool good = true;
  for (NodeIndex n = first;;) {
    while (!open.empty() && open.back().end == n) {
      clause.body[open.back().formula].end = static_cast<std::uint32_t>(clause.body.size());
      open.pop_back();
    }
    if (n == last) return good;
    NodeIndex next = tree_.end(n);
    const std::size_t before = clause.body.size();
    const NodeIndex end = next;
    good = read_condition(n, clause, next) && good;
    if (next != end) open.push_back({static_cast<std::uint32_t>(before), end});
    n = next;
  }
}

/// Adds the node of one condition; `next` becomes the first child where it has conditions inside.
bool ClauseReader::read_condition(NodeIndex n, Clause& clause, NodeIndex& next) {
  if (tree_.is_list(n)) {
    const NodeIndex name = tree_.child(n, 0);
    if (name != kNoNode && tree_.is_atom(name)) {
      const std::string folded = fold_case(tree_.atom(name));
      if (is_connective(folded)) return read_connective(n, folded, clause, next);
    }
  }
  FormulaNode node{FormulaNode::Kind::Sentence, 0, 0, {}, n};
  if (!read_sentence(n, Place::Body, node.relation, node.arguments)) return false;
  node.end = static_cast<std::uint32_t>(clause.body.size() + 1);
  clause.body.push_back(std::move(node));
  return true;
}

bool ClauseReader::read_connective(NodeIndex n, const std::string& name, Clause& clause,
                                   NodeIndex& next) {
  const NodeIndex first = n + 2;  // after '(' and the name
  const std::size_t count = tree_.child_count(n) - 1;
  const auto end = static_cast<std::uint32_t>(clause.body.size() + 1);
  if (name == "<=") {
    report(Severity::Error, "misplaced-connective", "'<=' can't stand inside a rule", n);
    return false;
  }
  if (name == "distinct") {
    if (count != 2) {
      report(Severity::Error, "connective-arity", "'distinct' takes two terms", n);
      return false;
    }
    const auto left = read_term(first), right = read_term(tree_.end(first));
    if (!left || !right) return false;
    clause.body.push_back({FormulaNode::Kind::Distinct, 0, end, {*left, *right}, n});
    return true;
  }
  if (name == "not" && count != 1) {
    report(Severity::Error, "connective-arity", "'not' takes one condition", n);
    return false;
  }
  if (count == 0) {
    const char* meaning =
        name == "or" ? "an empty 'or' never holds" : "an empty 'and' always holds";
    report(Severity::Warning, "empty-connective", meaning, n);
  }
  const auto kind = name == "not"  ? FormulaNode::Kind::Not
                    : name == "or" ? FormulaNode::Kind::Or
                                   : FormulaNode::Kind::And;
  clause.body.push_back({kind, 0, end, {}, n});
  if (count > 0) next = first;
  return true;
}

bool ClauseReader::read_sentence(NodeIndex n, Place place, RelationId& relation,
                                 std::vector<Term>& arguments) {
  const auto id = relation_of(n, place);
  bool good = id.has_value();
  in_move_ = id == kLegal && place != Place::Body;
  if (tree_.is_list(n) && tree_.child_count(n) > 1) {
    for (NodeIndex a = n + 2; a != tree_.end(n) && tree_.is_atom(n + 1); a = tree_.end(a)) {
      const auto term = read_term(a);
      good = good && term.has_value();
      if (term) arguments.push_back(*term);
    }
  }
  if (good) relation = *id;
  return good;
}

std::optional<RelationId> ClauseReader::relation_of(NodeIndex n, Place place) {
  NodeIndex name = n;
  std::uint32_t arity = 0;
  if (tree_.is_list(n)) {
    const auto found = name_node(n, "relation");
    if (!found) return std::nullopt;
    name = *found;
    arity = static_cast<std::uint32_t>(tree_.child_count(n) - 1);
  } else if (is_variable(n)) {
    report(Severity::Error, "no-relation-name", "a relation needs a name here", n);
    return std::nullopt;
  }
  const std::string folded = fold_case(tree_.atom(name));
  const auto keyword = find_keyword(folded);
  const bool never_head = is_connective(folded) || keyword == kTrue || keyword == kDoes;
  if (place != Place::Body && never_head) {
    report(Severity::Error, "bad-head", quoted(folded) + " can't be a head", n);
    return std::nullopt;
  }
  if (arity == 0 && tree_.is_list(n) && place != Place::Fact) note_parentheses(n);
  if (!keyword) return rules_.intern_relation(symbol(name), arity);
  const KeywordForm& form = keyword_form(*keyword);
  if (arity == form.arity) {
    note_keyword_place(n, *keyword, place);
    return *keyword;
  }
  const std::string takes = quoted(folded) + " takes " + std::string(form.arguments);
  const bool is_hint = *keyword == kBase || *keyword == kInput;
  if (!is_hint) {
    if (place != Place::Body) broken_head_ = *keyword;
    report(Severity::Error, "keyword-arity", takes, n);
    return std::nullopt;
  }
  report(Severity::Warning, "keyword-arity", takes + "; read as a plain relation", n);
  return rules_.intern_relation(symbol(name), arity);
}

void ClauseReader::note_keyword_place(NodeIndex n, Keyword keyword, Place place) {
  const bool head_only = keyword == kInit || keyword == kNext || keyword == kBase ||
                         keyword == kInput || keyword == kSees;
  if (head_only && place == Place::Body) {
    report(Severity::Warning, "misplaced-keyword",
           "keyword " + quoted(keyword_form(keyword).name) +
               " is out of place; read as a plain relation",
           n);
  }
}

std::optional<NodeIndex> ClauseReader::name_node(NodeIndex list, const char* of_what) {
  const NodeIndex first = tree_.child(list, 0);
  if (first != kNoNode && tree_.is_atom(first) && !is_variable(first)) return first;
  report(Severity::Error,
         std::string(of_what) == "relation" ? "no-relation-name" : "no-function-name",
         std::string("a ") + of_what + " needs a name here", first == kNoNode ? list : first);
  return std::nullopt;
}

void ClauseReader::note_parentheses(NodeIndex n) {
  std::string name = fold_case(tree_.atom(n + 1));
  if (parenthesised_.size() >= kMostSpellings || !parenthesised_.insert(name).second) return;
  report(Severity::Note, "needless-parentheses",
         "needless parentheses: read as " + quoted(tree_.atom(n + 1)), n);
}

std::optional<Term> ClauseReader::read_term(NodeIndex n) {
  if (tree_.is_atom(n)) return read_atom_term(n);
  return read_list_term(n);
}

Term ClauseReader::read_atom_term(NodeIndex n) {
  if (is_variable(n)) return variable(n);
  return constant(n, term_symbol(n, false));
}

/// `rock` and `( rock )` are one constant here. The reference host takes them for two, so the
/// constant is printed as `legal` has it, whose moves are sent, or else as it is first written.
Term ClauseReader::constant(NodeIndex n, SymbolId symbol) {
  const Term term = rules_.terms.constant(symbol);
  if (tree_.is_translated()) return term;
  if (symbol >= constants_.size()) constants_.resize(symbol + 1);
  Spelled& spelled = constants_[symbol];
  const bool listed = tree_.is_list(n);
  if (spelled.first == kNoNode) {
    spelled = {n, in_move_};
    if (listed) rules_.symbols.set_listed(symbol, true);
    return term;
  }
  if (in_move_ && !spelled.as_move) {
    spelled.as_move = true;
    rules_.symbols.set_listed(symbol, listed);
  }
  if (tree_.is_list(spelled.first) == listed || other_spelled_.size() >= kMostSpellings)
    return term;
  const std::string& name = rules_.symbols.spelling(symbol);
  if (!other_spelled_.insert("( " + name + " )").second) return term;
  const Location where = rules_.location(spelled.first);
  report(Severity::Warning, "two-spellings",
         quoted(name) + " and " + quoted("( " + name + " )") +
             " are taken as one constant, first written at " + std::to_string(where.line) + ':' +
             std::to_string(where.column) + "; others may take them for two",
         n);
  return term;
}

std::optional<Term> ClauseReader::read_list_term(NodeIndex n) {
  struct Open {
    NodeIndex end, list;
    SymbolId functor;
    std::size_t first;  // argument
  };
  std::vector<Open> open;
  std::vector<Term> done;
  for (NodeIndex i = n;;) {
    while (!open.empty() && open.back().end == i) {
      const Open top = open.back();
      open.pop_back();
      const std::span<const Term> arguments = std::span(done).subspan(top.first);
      const Term t = arguments.empty() ? constant(top.list, top.functor)
                                       : rules_.terms.compound(top.functor, arguments);
      done.resize(top.first);
      done.push_back(t);
    }
    if (i == tree_.end(n)) return done.front();
    if (tree_.is_atom(i)) {
      done.push_back(read_atom_term(i++));
      continue;
    }
    const auto name = name_node(i, "function");
    if (!name) return std::nullopt;
    const bool is_function = tree_.end(i) > i + 2;
    if (!is_function) note_parentheses(i);
    open.push_back({tree_.end(i), i, term_symbol(*name, is_function), done.size()});
    i += 2;
  }
}

Term ClauseReader::variable(NodeIndex n) {
  const std::string_view name = tree_.atom(n);
  const auto id = static_cast<std::uint32_t>(variables_.size());
  const auto [entry, is_new] = variable_ids_.try_emplace(fold_case(name), id);
  if (is_new) {
    variables_.emplace_back(name);
    variable_nodes_.push_back(n);
  } else if (const std::string& first = variables_[entry->second]; first != name) {
    const Location where = rules_.location(variable_nodes_[entry->second]);
    report(Severity::Warning, "two-spellings",
           quoted(first) + " and " + quoted(name) +
               " are taken as one variable, first spelled at " + std::to_string(where.line) + ':' +
               std::to_string(where.column),
           n);
  }
  return rules_.terms.variable(entry->second);
}

SymbolId ClauseReader::term_symbol(NodeIndex n, bool is_function) {
  const std::string folded = fold_case(tree_.atom(n));
  if (is_reserved(folded) && !tree_.is_translated() &&
      misplaced_.insert(folded + (is_function ? "()" : "")).second) {
    report(Severity::Warning, "misplaced-keyword",
           "keyword " + quoted(folded) + " is out of place; read as a plain " +
               (is_function ? "function" : "constant"),
           n);
  }
  return symbol(n);
}

SymbolId ClauseReader::symbol(NodeIndex n) {
  const std::string_view name = tree_.atom(n);
  const SymbolId id = rules_.symbols.intern(name);
  if (id >= first_spelled_.size()) first_spelled_.resize(id + 1, kNoNode);
  if (first_spelled_[id] == kNoNode) first_spelled_[id] = n;
  const std::string& first = rules_.symbols.spelling(id);
  if (first == name || other_spelled_.size() >= kMostSpellings) return id;
  if (!other_spelled_.emplace(name).second) return id;
  const Location where = rules_.location(first_spelled_[id]);
  report(Severity::Warning, "two-spellings",
         quoted(first) + " and " + quoted(name) + " are taken as one symbol, first spelled at " +
             std::to_string(where.line) + ':' + std::to_string(where.column),
         n);
  return id;
}

}  // namespace ludens::gdl
