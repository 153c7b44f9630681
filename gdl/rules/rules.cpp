// SPDX-License-Identifier: MIT
#include "gdl/rules/rules.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "gdl/hrf/hrf.h"

namespace ludens::gdl {

namespace {

std::uint64_t relation_key(SymbolId name, std::uint32_t arity) {
  return (std::uint64_t{name} << 32) | arity;
}

/// Writes tokens with one space between them; terms without recursion.
class Printer {
 public:
  Printer(const Rules& rules, const Rule* rule) : rules_(rules), rule_(rule) {}

  void token(std::string_view text) {
    if (!out_.empty()) out_ += ' ';
    out_ += text;
  }

  void term(Term t) {
    open(t);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      const auto arguments = rules_.terms.arguments(top.term);
      if (top.next < arguments.size()) {
        open(arguments[top.next++]);
      } else {
        token(")");
        frames_.pop_back();
      }
    }
  }

  void sentence(RelationId relation, const std::vector<Term>& arguments) {
    if (arguments.empty()) return token(rules_.name(relation));
    list(rules_.name(relation), arguments);
  }

  void literal(const Literal& literal) {
    switch (literal.kind) {
      case Literal::Kind::Positive:
        return sentence(literal.relation, literal.arguments);
      case Literal::Kind::Negative:
        token("(");
        token("not");
        sentence(literal.relation, literal.arguments);
        return token(")");
      case Literal::Kind::Distinct:
        return list("distinct", literal.arguments);
    }
  }

  void rule() {
    if (rule_->body.empty() && !rule_->arguments.empty()) {
      return sentence(rule_->head, rule_->arguments);
    }
    token("(");
    if (rule_->body.empty()) {
      token(rules_.name(rule_->head));  // a proposition standing alone would be a loose atom
    } else {
      token("<=");
      sentence(rule_->head, rule_->arguments);
      for (const Literal& l : rule_->body) literal(l);
    }
    token(")");
  }

  std::string take() { return std::move(out_); }

 private:
  struct Frame {
    Term term;
    std::size_t next;  // argument
  };

  void list(std::string_view name, const std::vector<Term>& arguments) {
    token("(");
    token(name);
    for (const Term t : arguments) term(t);
    token(")");
  }

  void open(Term t) {
    const std::uint32_t value = rules_.terms.value(t);
    switch (rules_.terms.kind(t)) {
      case Terms::Kind::Constant:
        if (!rules_.symbols.is_listed(value)) return token(rules_.symbols.spelling(value));
        return list(rules_.symbols.spelling(value), {});
      case Terms::Kind::Variable:
        if (rule_ != nullptr && value < rule_->variables.size()) {
          return token(rule_->variables[value]);
        }
        return token("?" + std::to_string(value));
      case Terms::Kind::Compound:
        token("(");
        token(rules_.symbols.spelling(value));
        frames_.push_back({t, 0});
    }
  }

  const Rules& rules_;
  const Rule* rule_;
  std::string out_;
  std::vector<Frame> frames_;
};

}  // namespace

std::optional<RelationId> Rules::find_relation(SymbolId name, std::uint32_t arity) const {
  const auto keyword = find_keyword(symbols.folded(name));
  if (keyword && keyword_form(*keyword).arity == arity) return *keyword;
  const auto found = relation_ids_.find(relation_key(name, arity));
  if (found == relation_ids_.end()) return std::nullopt;
  return found->second;
}

std::optional<RelationId> Rules::find_relation(std::string_view name, std::uint32_t arity) const {
  const auto keyword = find_keyword(fold_case(name));
  if (keyword && keyword_form(*keyword).arity == arity) return *keyword;
  const auto symbol = symbols.find(name);
  if (!symbol) return std::nullopt;
  return find_relation(*symbol, arity);
}

RelationId Rules::intern_relation(SymbolId name, std::uint32_t arity) {
  const auto id = static_cast<RelationId>(relations.size());
  const auto [entry, is_new] = relation_ids_.try_emplace(relation_key(name, arity), id);
  if (is_new) relations.push_back({name, arity});
  return entry->second;
}

bool Rules::has_rule(RelationId head) const {
  return std::ranges::find(rules, head, &Rule::head) != rules.end();
}

std::optional<int> Rules::number(SymbolId constant) const {
  constexpr std::size_t kMostDigits = 9;  // so that the range of goals is a number, too
  const std::string& text = symbols.folded(constant);
  if (text.size() > kMostDigits + (text[0] == '-' ? 1 : 0)) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> Rules::goal_value(SymbolId constant) const {
  const auto value = number(constant);
  return value ? std::optional(goals.seen(*value)) : std::nullopt;
}

Location Rules::location(NodeIndex n) const {
  Location where = source->location(n);
  if (where.form == 0) return where;  // translated: its forms are not those of the text
  const auto next = std::upper_bound(forms.begin(), forms.end(), n);
  where.form = static_cast<std::uint32_t>(next - forms.begin());
  return where;
}

NodeIndex Rules::place(std::string_view variable, NodeIndex below) const {
  const std::string folded = fold_case(variable);
  for (NodeIndex n = below; n < source->end(below); ++n) {
    if (source->is_atom(n) && fold_case(source->atom(n)) == folded) return n;
  }
  return below;
}

std::string Rules::print(Term t, const Rule* rule) const {
  Printer printer(*this, rule);
  printer.term(t);
  return printer.take();
}

std::string Rules::print(const Rule& rule) const {
  Printer printer(*this, &rule);
  printer.rule();
  return printer.take();
}

std::string Rules::to_user_language(const std::string& text) const {
  return source->is_translated() ? hrf_terms(text) : text;
}

std::string Rules::from_user_language(const std::string& text) const {
  return source->is_translated() ? prefix_terms(text) : text;
}

std::string Rules::print() const {
  std::string out;
  for (const Rule& rule : rules) out += print(rule) + '\n';
  return out;
}

}  // namespace ludens::gdl
