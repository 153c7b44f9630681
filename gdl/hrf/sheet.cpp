// SPDX-License-Identifier: MIT
#include "gdl/hrf/sheet.h"

#include <algorithm>
#include <utility>

#include "gdl/hrf/builtins.h"
#include "gdl/hrf/forms.h"
#include "gdl/text/keywords.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

const std::vector<const Statement*> kNone;

const std::vector<const Statement*>& entry(
    const std::map<Signature, std::vector<const Statement*>>& map, const Signature& s) {
  const auto found = map.find(s);
  return found == map.end() ? kNone : found->second;
}

}  // namespace

bool is_keyword_of_hrf(const Signature& s) {
  static const std::set<Signature> keywords{{"role", 1},  {"base", 1}, {"init", 1},
                                            {"legal", 1}, {"goal", 2}, {"terminal", 0}};
  return keywords.contains(s);
}

bool Sheet::is_keyword(const Signature& s) const {
  if (is_keyword_of_hrf(s)) return true;
  const auto keyword = is_gdl() ? find_keyword(s.name) : std::nullopt;
  return keyword && keyword_form(*keyword).arity == s.arity;
}

Sheet::Sheet(const std::vector<Statement>& statements, Dialect dialect)
    : statements_(statements), dialect_(dialect) {
  for (const Statement& s : statements) read(s);
  knows_moves_ = add_arguments("legal", moves_);
  find_fluents();
}

void Sheet::find_fluents() {
  std::set<Signature> found;
  for (const char* keyword : {"base", "init"}) add_arguments(keyword, found);
  if (is_gdl()) add_arguments("next", found);
  for (const Signature& move : moves_) {  // when it is made and has no operations
    if (!is_gdl() && operations(move).empty()) found.insert(move);
  }
  for (const Signature& s : found) {
    if (!is_view(s)) fluents_.insert(s);
  }
  for (const auto& [name, own] : operations_) {
    for (const Statement* s : own) {
      for (const Expression& e : s->effects) read_effect(e);
    }
  }
}

void Sheet::read(const Statement& s) {
  note_names(s.head);
  for (const auto* list : {&s.body, &s.effects}) {
    for (const Expression& e : *list) note_names(e);
  }
  for (const Expression& e : s.body) {
    for_each(e, [&](const Expression& part) {
      asks_for_legal_ = asks_for_legal_ || (part.name == "legal" && part.arguments.size() == 1);
    });
  }
  if (!is_atom(s.head)) return;
  const Signature head = signature(s.head);
  if (s.kind == Statement::Kind::Operation) {
    operations_[head].push_back(&s);
    return;
  }
  defined_[head].push_back(&s);
  if (!is_keyword(head)) defined_names_.insert(head.name);
  if (head == Signature{"role", 1}) ++roles_;
}

void Sheet::read_effect(const Expression& effect) {
  const Expression& atom = effect.kind == Kind::Not ? effect.arguments[0] : effect;
  if (!is_atom(atom)) return;
  const Signature s = signature(atom);
  if (effect.kind != Kind::Not && !operations(s).empty()) return;
  if (!is_view(s)) fluents_.insert(s);
}

void Sheet::note_names(const Expression& e) {
  for_each(e, [&](const Expression& part) {
    if (is_atom(part)) names_.insert(fold_case(part.name));
  });
}

const std::vector<const Statement*>& Sheet::defined(const Signature& s) const {
  return entry(defined_, s);
}

const std::vector<const Statement*>& Sheet::operations(const Signature& s) const {
  return entry(operations_, s);
}

/// Adds what the first arguments of sentences with that name can be; false if that is unknown.
bool Sheet::add_arguments(const char* keyword, std::set<Signature>& forms) const {
  std::vector<TermOfRule<Statement>> arguments;
  for (const Statement* s : defined({keyword, 1})) arguments.push_back({s, &s->head.arguments[0]});
  const auto binding = [&](const Expression& literal) -> const std::vector<const Statement*>& {
    return literal.kind == Kind::Compound ? defined(signature(literal)) : kNone;
  };
  return add_forms(std::move(arguments), binding, forms);
}

void Sheet::report_spellings(std::vector<Problem>& problems) const {
  std::map<std::string, std::string> spelled;
  std::set<std::string> reported;
  const auto look = [&](const Expression& e) {
    if (!is_atom(e)) return;
    const std::string folded = fold_case(e.name);
    const auto [entry, is_new] = spelled.try_emplace(folded, e.name);
    if (is_new || entry->second == e.name || !reported.insert(folded).second) return;
    problems.push_back({Severity::Error, "spelling",
                        "'" + e.name + "' and '" + entry->second +
                            "' differ only in case, so prefix GDL takes them for one name: give "
                            "one of them another",
                        e.where});
  };
  for (const Statement& s : statements_) {
    for_each(s.head, look);
    for (const auto* list : {&s.body, &s.effects}) {
      for (const Expression& e : *list) for_each(e, look);
    }
  }
}

void Sheet::report_undefined(const Names& declared, std::vector<Problem>& problems) const {
  std::set<Signature> reported;
  const auto look = [&](const Expression& e) {
    const Signature s = signature(e);
    const bool known = is_keyword(s) || is_view(s) || is_fluent(s) || declared.contains(s.name) ||
                       builtin_kind(s.name) != BuiltinKind::None ||
                       ((s.name == "true" || s.name == "false") && s.arity == 0);
    if (known || !reported.insert(s).second) return;
    problems.push_back({Severity::Error, "undefined-relation",
                        "'" + s.name + "' with " + std::to_string(s.arity) +
                            (s.arity == 1 ? " argument" : " arguments") +
                            " is defined nowhere, which is an error in Prolog; what "
                            "holds in a state is true(FLUENT)",
                        e.where});
  };
  for (const Statement& s : statements_) {
    for (const Expression& e : s.body) for_each_sentence(e, look);
  }
}

std::string Sheet::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; is_reserved(fold_case(name)) || !names_.insert(fold_case(name)).second; ++i) {
    name = wanted + "_" + std::to_string(i);
  }
  return name;
}

const std::string& Sheet::relation(const Signature& view) {
  const auto [entry, is_new] = relations_.try_emplace(view.name, view.name);
  if (is_new && !is_gdl() && is_reserved(fold_case(view.name))) entry->second = fresh(view.name);
  return entry->second;
}

}  // namespace ludens::gdl::hrf
