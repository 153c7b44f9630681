// SPDX-License-Identifier: MIT
#include "gdl/hrf/expression.h"

#include <utility>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

std::string joined(const std::vector<Expression>& list, const char* between, const Signs& signs) {
  std::string text;
  for (const Expression& e : list) text += (text.empty() ? "" : between) + print(e, signs);
  return text;
}

}  // namespace

Expression constant(std::string name, std::uint32_t where) {
  return {Kind::Constant, std::move(name), {}, where};
}

Expression variable(std::string name, std::uint32_t where) {
  return {Kind::Variable, std::move(name), {}, where};
}

Expression compound(std::string name, std::vector<Expression> arguments, std::uint32_t where) {
  const Kind kind = arguments.empty() ? Kind::Constant : Kind::Compound;
  return {kind, std::move(name), std::move(arguments), where};
}

Expression negation(Expression of) {
  const std::uint32_t where = of.where;
  Expression result{Kind::Not, {}, {}, where};
  result.arguments.push_back(std::move(of));
  return result;
}

Expression list_of(Expression first, Expression rest) {
  const std::uint32_t where = first.where;
  std::vector<Expression> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(rest));
  return compound("cons", std::move(parts), where);
}

Expression empty_list(std::uint32_t where) {
  return constant("nil", where);
}

bool is_atom(const Expression& e) {
  return e.kind == Kind::Constant || e.kind == Kind::Compound;
}

Signature signature(const Expression& atom) {
  return {atom.name, atom.arguments.size()};
}

void for_each(const Expression& e, const std::function<void(const Expression&)>& use) {
  use(e);
  for (const Expression& a : e.arguments) for_each(a, use);
}

void for_each_sentence(const Expression& e, const std::function<void(const Expression&)>& use) {
  if (is_atom(e)) return use(e);
  for (const Expression& a : e.arguments) for_each_sentence(a, use);
}

void add_variables(const Expression& e, Names& names) {
  if (e.kind == Kind::Variable) names.insert(e.name);
  for (const Expression& a : e.arguments) add_variables(a, names);
}

Names variables_of(const Expression& e) {
  Names names;
  add_variables(e, names);
  return names;
}

bool is_ground(const Expression& e) {
  return variables_of(e).empty();
}

std::string print(const Expression& e, const Signs& signs) {
  switch (e.kind) {
    case Kind::Constant:
    case Kind::Variable:
      return e.name;
    case Kind::Compound:
      if (e.name == kEqual || e.name == kDiffer) {
        return joined(e.arguments, e.name == kEqual ? " = " : " \\= ", signs);
      }
      return e.name + "(" + joined(e.arguments, ",", signs) + ")";
    case Kind::And:
      return joined(e.arguments, signs.both, signs);
    case Kind::Or:
      return "(" + joined(e.arguments, signs.either, signs) + ")";
    case Kind::Not:
      break;
  }
  const Expression& inner = e.arguments.front();
  const std::string text = print(inner, signs);
  return signs.negated + (inner.kind == Kind::And ? "(" + text + ")" : text);
}

}  // namespace ludens::gdl::hrf
