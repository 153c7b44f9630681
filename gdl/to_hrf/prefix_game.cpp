// SPDX-License-Identifier: MIT
#include "gdl/to_hrf/prefix_game.h"

#include <algorithm>
#include <span>
#include <utility>

#include "gdl/hrf/builtins.h"
#include "gdl/hrf/forms.h"
#include "gdl/hrf/parser.h"
#include "gdl/hrf/sheet.h"
#include "gdl/text/keywords.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_plain(char c) {
  return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether a name denotes itself in an HRF text, to the venue's reader as well, which knows letters
/// of ASCII alone, takes a sign before anything but a whole number for an operation, and has words
/// of its own for some tokens and statements.
bool is_constant(const std::string& name) {
  static const std::set<std::string> words{"lparen",     "rparen",     "comma",   "rule",
                                           "transition", "definition", "handler", "insert",
                                           "delete",     "enqueue"};
  Expression term;
  const bool itself = parse_term(name, term) && term.kind == Kind::Constant && term.name == name;
  if (!itself || words.contains(name)) return false;
  if (name.starts_with('"')) return true;
  if (name.starts_with('-')) return name.find_first_not_of("0123456789", 1) == std::string::npos;
  return std::ranges::all_of(name, [](char c) { return is_plain(c) || c == '.'; });
}

/// What is left of a name without the signs that HRF uses otherwise.
std::string plain_name(const std::string& name) {
  if (name == "+" || name == "-") return name == "+" ? "plus_sign" : "minus_sign";
  std::string plain = fold_case(name);
  for (char& c : plain) {
    if (!is_plain(c)) c = '_';
  }
  plain.erase(0, std::min(plain.find_first_not_of('_'), plain.size()));
  return plain.empty() ? "name" : plain;
}

bool occurs(const std::string& variable, const Expression& in) {
  return variables_of(in).contains(variable);
}

bool unify(Expression a, Expression b, Substitution& by) {
  a = substitute(a, by);
  b = substitute(b, by);
  if (a == b) return true;
  if (a.kind != Kind::Variable) std::swap(a, b);
  if (a.kind == Kind::Variable) {
    if (occurs(a.name, b)) return false;
    for (auto& [name, term] : by) term = substitute(term, {{a.name, b}});
    by.emplace(a.name, b);
    return true;
  }
  if (a.name != b.name || a.arguments.size() != b.arguments.size()) return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    if (!unify(a.arguments[i], b.arguments[i], by)) return false;
  }
  return true;
}

void rename(Expression& e, const Signature& s, const std::string& to) {
  if (is_atom(e) && signature(e) == s) e.name = to;
  for (Expression& argument : e.arguments) rename(argument, s, to);
}

/// The rules of each relation, as `add_forms` asks for them: of a positive literal that is no
/// keyword.
class Heads {
 public:
  explicit Heads(const std::vector<PrefixRule>& rules) {
    for (const PrefixRule& rule : rules) of_[signature(rule.head)].push_back(&rule);
  }
  std::span<const PrefixRule* const> operator()(const Expression& literal) const {
    if (is_negative(literal) || is_reserved(fold_case(literal.name))) return {};
    const auto found = of_.find(signature(literal));
    if (found == of_.end()) return {};
    return found->second;
  }

 private:
  std::map<Signature, std::vector<const PrefixRule*>> of_;
};

}  // namespace

const Expression& atom_of(const Expression& literal) {
  return literal.kind == Kind::Not ? literal.arguments[0] : literal;
}

bool is_negative(const Expression& literal) {
  return literal.kind == Kind::Not;
}

bool is_about_fluent(const Expression& atom) {
  static const std::set<std::string> about{"true", "next", "init", "base"};
  return atom.arguments.size() == 1 && about.contains(atom.name);
}

PrefixRule substitute(const PrefixRule& rule, const Substitution& by) {
  PrefixRule result{substitute(rule.head, by), {}, rule.where};
  for (const Expression& e : rule.body) result.body.push_back(substitute(e, by));
  return result;
}

std::optional<Substitution> unified(const Expression& a, const Expression& b) {
  Substitution by;
  if (!unify(a, b, by)) return std::nullopt;
  return by;
}

Expression pattern(const Signature& s) {
  std::vector<Expression> arguments;
  for (std::size_t i = 0; i < s.arity; ++i) {
    arguments.push_back(variable("_" + std::to_string(i + 1), 0));
  }
  return compound(s.name, std::move(arguments), 0);
}

// ---- Names

HrfNames::HrfNames(const Symbols& symbols) {
  for (SymbolId id = 0; id < symbols.size(); ++id) taken_.insert(symbols.folded(id));
}

std::string HrfNames::constant(const std::string& name) {
  const std::string folded = fold_case(name);
  const auto known = constants_.find(folded);
  if (known != constants_.end()) return known->second;
  const std::string& written = is_constant(name) ? name : folded;
  if (is_reserved(folded)) return constants_[folded] = folded;
  taken_.insert(folded);
  return constants_[folded] = is_constant(written) ? written : fresh(name);
}

void HrfNames::begin_rule() {
  variables_.clear();
  variables_taken_.clear();
}

/// Letters and digits of the name, with a capital in front; never one that `pattern` makes.
std::string HrfNames::variable(const std::string& name) {
  const auto [entry, is_new] = variables_.try_emplace(fold_case(name));
  if (!is_new) return entry->second;
  std::string written;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter || (c >= '0' && c <= '9') || c == '_') written += c;
  }
  written.erase(0, std::min(written.find_first_not_of('_'), written.size()));
  if (written.empty() || (written[0] >= '0' && written[0] <= '9')) written.insert(0, "V");
  if (written[0] >= 'a') written[0] = static_cast<char>(written[0] - 'a' + 'A');
  while (!variables_taken_.insert(written).second) written += "_";
  return entry->second = written;
}

std::string HrfNames::fresh(const std::string& wanted) {
  const std::string plain = is_constant(wanted) ? wanted : plain_name(wanted);
  std::string name = plain;
  for (int i = 2;
       is_reserved(fold_case(name)) || !is_constant(name) || !taken_.insert(fold_case(name)).second;
       ++i) {
    name = plain + "_" + std::to_string(i);
  }
  return name;
}

// ---- The game

PrefixGame::PrefixGame(const Rules& from) : source(from), names(from.symbols) {
  read();
  if (has_error(diagnostics)) return;
  keep_inputs_asked_for();
  drop_what_repeats_itself();
  find_fluents();
  drop_what_never_holds();
  find_moves();
  rename_fluents();
  rename_relations();
  find_dependent();
}

void PrefixGame::report(Severity severity, const char* code, std::string text, std::uint32_t rule) {
  const Location where =
      rule < source.rules.size() ? source.location(source.rules[rule].where) : Location{};
  diagnostics.push_back({severity, code, std::move(text), where});
}

void PrefixGame::rename(const Signature& s, const std::string& to) {
  for (PrefixRule& rule : rules) {
    hrf::rename(rule.head, s, to);
    for (Expression& e : rule.body) hrf::rename(e, s, to);
  }
  for (auto* set : {&fluents, &dependent}) {
    if (set->erase(s) > 0) set->insert({to, s.arity});
  }
}

void PrefixGame::read() {
  for (std::uint32_t i = 0; i < source.rules.size(); ++i) {
    const ParsedText parsed = parse(source.print(source.rules[i]));
    const SyntaxTree& tree = parsed.tree;
    names.begin_rule();
    const bool is_rule = tree.is_list(0) && tree.is_atom(1) && tree.atom(1) == "<=";
    PrefixRule rule{{}, {}, i};
    bool first = true, whole = true;
    const auto take = [&](NodeIndex node) {
      auto e = expression(tree, node, i, 0);
      if (!e) whole = false;
      if (!e) return;
      if (first) {
        rule.head = *std::move(e);
      } else {
        rule.body.push_back(*std::move(e));
      }
      first = false;
    };
    if (!is_rule) take(0);
    if (is_rule) {
      for (const NodeIndex child : tree.children(0)) {
        if (child != 1) take(child);
      }
    }
    if (whole) rules.push_back(std::move(rule));
  }
  for (const Term role : source.roles) {
    roles.push_back(names.constant(source.symbols.spelling(source.terms.value(role))));
  }
}

/// The name of a constant in HRF; notes if it is another one.
std::string PrefixGame::written_name(const std::string& name, std::uint32_t rule) {
  const bool is_new = !names.constants().contains(fold_case(name));
  std::string written = names.constant(name);
  if (is_new && fold_case(written) != fold_case(name)) {
    report(Severity::Note, "renamed",
           "'" + name + "' is called '" + written +
               "', as names of HRF have letters, digits and '_' alone",
           rule);
  }
  return written;
}

/// A list of one name is the name.
std::optional<Expression> PrefixGame::expression(const SyntaxTree& tree, NodeIndex node,
                                                 std::uint32_t rule, std::size_t depth) {
  if (depth > kMostNested) {
    report(Severity::Error, "nested", "terms nest too deep to be written in HRF", rule);
    return std::nullopt;
  }
  if (tree.is_atom(node)) {
    const std::string name(tree.atom(node));
    if (name.starts_with('?')) return variable(names.variable(name.substr(1)), rule);
    return constant(written_name(name, rule), rule);
  }
  std::optional<std::string> name;
  std::vector<Expression> arguments;
  for (const NodeIndex child : tree.children(node)) {
    auto e = expression(tree, child, rule, depth + 1);
    if (!e) return std::nullopt;
    if (name) {
      arguments.push_back(*std::move(e));
    } else {
      name = fold_case(e->name);
      if (!is_reserved(fold_case(*name))) name = e->name;
    }
  }
  if (name == "not" && arguments.size() == 1) return negation(std::move(arguments[0]));
  return compound(*name, std::move(arguments), rule);
}

/// HRF says which actions there are, and not of which role. Where a rule asks that, `input` is a
/// relation, too.
void PrefixGame::keep_inputs_asked_for() {
  static const Signature input{"input", 2};
  const auto asks = [](const Expression& e) { return signature(atom_of(e)) == input; };
  const auto asked = std::ranges::any_of(
      rules, [&](const PrefixRule& rule) { return std::ranges::any_of(rule.body, asks); });
  if (!asked) return;
  const std::string name = names.fresh("input_relation");
  for (PrefixRule& rule : rules) {
    for (Expression& e : rule.body) {
      if (asks(e)) (is_negative(e) ? e.arguments[0] : e).name = name;
    }
  }
  const std::size_t count = rules.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (signature(rules[i].head) != input) continue;
    rules.push_back(rules[i]);
    rules.back().head.name = name;
  }
}

/// HRF would take a relation that nothing else defines for a builtin of its name.
void PrefixGame::drop_what_repeats_itself() {
  std::erase_if(rules, [](const PrefixRule& rule) {
    return std::ranges::find(rule.body, rule.head) != rule.body.end();
  });
}

/// Finds the fluents that hold initially or can become true. Others never hold. What a rule of
/// `next` brings about without naming it, the steps report. Returns a rule of `init` of which it is
/// unknown what it brings about, or null.
const PrefixRule* PrefixGame::find_fluents() {
  const Heads heads(rules);
  const PrefixRule* unknown = nullptr;
  for (const PrefixRule& rule : rules) {
    const bool initially = rule.head.name == "init";
    if ((!initially && rule.head.name != "next") || !is_about_fluent(rule.head)) continue;
    const Expression& fluent = rule.head.arguments[0];
    if (is_atom(fluent)) {
      fluents.insert(signature(fluent));
    } else if (initially && !add_forms<PrefixRule>({{&rule, &fluent}}, heads, fluents)) {
      unknown = &rule;
    }
  }
  return unknown;
}

/// Rules that make any move of a relation legal, kind of move by kind of move.
void PrefixGame::find_moves() {
  const Heads heads(rules);
  std::vector<PrefixRule> all;
  for (const PrefixRule& rule : rules) {
    const bool legal = rule.head.name == "legal" && rule.head.arguments.size() == 2;
    if (!legal || is_atom(rule.head.arguments[1])) {
      if (legal) moves.insert(signature(rule.head.arguments[1]));
      all.push_back(rule);
      continue;
    }
    const Expression& move = rule.head.arguments[1];
    std::set<Signature> forms;
    if (!add_forms<PrefixRule>({{&rule, &move}}, heads, forms)) {
      report(Severity::Error, "any-move",
             "the rule makes whatever move '" + print(move) +
                 "' stands for legal: which moves there are can't be told",
             rule.where);
    }
    for (const Signature& form : forms) {
      moves.insert(form);
      all.push_back(substitute(rule, {{move.name, pattern(form)}}));
    }
  }
  rules = std::move(all);
}

/// Whether a condition can ever hold: its relation has rules, or its fluent can become true.
bool PrefixGame::can_hold(const Expression& atom, const std::set<Signature>& defined) const {
  if (atom.name == "true" && atom.arguments.size() == 1) {
    return !is_atom(atom.arguments[0]) || fluents.contains(signature(atom.arguments[0]));
  }
  return atom.name == "distinct" || atom.name == "does" || defined.contains(signature(atom));
}

/// Drops rules that never apply, and conditions that always hold. HRF would misread names that
/// nothing defines.
void PrefixGame::drop_what_never_holds() {
  for (bool more = true; more;) {
    std::set<Signature> defined;
    for (const PrefixRule& rule : rules) defined.insert(signature(rule.head));
    const std::size_t before = rules.size();
    for (PrefixRule& rule : rules) {
      std::erase_if(rule.body, [&](const Expression& e) {
        return is_negative(e) && !can_hold(atom_of(e), defined);
      });
    }
    std::erase_if(rules, [&](const PrefixRule& rule) {
      return std::ranges::any_of(
          rule.body, [&](const Expression& e) { return !is_negative(e) && !can_hold(e, defined); });
    });
    more = rules.size() != before;
    fluents.clear();
    const PrefixRule* const unknown = find_fluents();
    if (unknown == nullptr || more) continue;
    report(Severity::Error, "any-fluent",
           "the rule lets whatever fluent '" + print(unknown->head.arguments[0]) +
               "' stands for hold at first: which fluents there are can't be told",
           unknown->where);
  }
}

/// Whether a condition with the name of that fluent says something else in HRF: that it is an
/// action, a reward, a comparison, ...
bool PrefixGame::is_misread(const Signature& fluent) const {
  static const std::set<Signature> always{{"true", 0}, {"false", 0}};
  const bool action =
      fluent == Signature{"action", 1} && std::ranges::any_of(rules, [](const PrefixRule& rule) {
        return signature(rule.head) == Signature{"input", 2};
      });
  return action || is_keyword_of_hrf(fluent) || always.contains(fluent) ||
         builtin_kind(fluent.name) != BuiltinKind::None;
}

void PrefixGame::rename_fluents() {
  std::map<Signature, std::uint32_t> misread;  // with the rule that brings it about
  for (const Signature& fluent : fluents) {
    if (is_misread(fluent)) misread[fluent] = 0;
  }
  if (misread.empty()) return;
  for (const PrefixRule& rule : rules) {
    const bool brings = rule.head.name == "init" || rule.head.name == "next";
    if (!brings || rule.head.arguments.size() != 1 || !is_atom(rule.head.arguments[0])) continue;
    const auto found = misread.find(signature(rule.head.arguments[0]));
    if (found != misread.end()) found->second = rule.where;
  }
  for (const auto& [fluent, rule] : misread) rename_misread(fluent, rule);
}

void PrefixGame::rename_misread(const Signature& fluent, std::uint32_t rule) {
  if (moves.contains(fluent)) {
    return report(Severity::Error, "move-and-fluent",
                  "'" + fluent.name + "' is both a move and a fluent, which in HRF are one", rule);
  }
  const std::string name = names.fresh(fluent.name);
  report(Severity::Note, "fluent-name",
         "the fluent '" + fluent.name + "' is called '" + name + "', as '" + fluent.name +
             "' means something else in HRF",
         rule);
  const auto rename_terms = [&](Expression& literal) {
    Expression& atom = is_negative(literal) ? literal.arguments[0] : literal;
    for (Expression& argument : atom.arguments) hrf::rename(argument, fluent, name);
  };
  for (PrefixRule& of : rules) {
    rename_terms(of.head);
    for (Expression& e : of.body) rename_terms(e);
  }
  fluents.erase(fluent);
  fluents.insert({name, fluent.arity});
}

/// Fluents, moves and relations share their names in HRF: relations are renamed.
void PrefixGame::rename_relations() {
  std::map<Signature, std::string> renamed;
  const bool asks_for_input = std::ranges::any_of(rules, [](const PrefixRule& rule) {
    return rule.head.name == "input" && rule.head.arguments.size() == 2 &&
           std::ranges::find(rule.body, compound("action", {rule.head.arguments[1]}, 0)) ==
               rule.body.end() &&
           rule.head.arguments[1] != constant("noop", 0);
  });
  for (const PrefixRule& rule : rules) {
    const Signature s = signature(rule.head);
    if (is_reserved(fold_case(s.name)) || renamed.contains(s)) continue;
    const bool taken = s == Signature{"false", 0} || fluents.contains(s) || moves.contains(s) ||
                       (asks_for_input && s == Signature{"action", 1});
    if (taken) renamed[s] = names.fresh(s.name + "_relation");
  }
  const auto rename = [&](Expression& literal) {
    Expression& atom = literal.kind == Kind::Not ? literal.arguments[0] : literal;
    const auto found = renamed.find(signature(atom));
    if (found != renamed.end()) atom.name = found->second;
  };
  for (PrefixRule& rule : rules) {
    rename(rule.head);
    for (Expression& e : rule.body) rename(e);
  }
}

void PrefixGame::find_dependent() {
  for (bool more = true; more;) {
    more = false;
    for (const PrefixRule& rule : rules) {
      if (is_about_fluent(rule.head) || dependent.contains(signature(rule.head))) continue;
      if (std::ranges::none_of(rule.body, [&](const auto& e) { return depends(atom_of(e)); })) {
        continue;
      }
      dependent.insert(signature(rule.head));
      more = true;
    }
  }
}

}  // namespace ludens::gdl::hrf
