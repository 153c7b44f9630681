// SPDX-License-Identifier: MIT
// Terms, conditions and statements of an HRF text, as written.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ludens::gdl::hrf {

/// A term or a condition. The parser bounds how deep they nest, so that functions may recurse.
struct Expression {
  enum class Kind : std::uint8_t { Constant, Variable, Compound, And, Or, Not };
  Kind kind = Kind::Constant;
  std::string name;                   // of a constant, variable or compound
  std::vector<Expression> arguments;  // of a compound; what And, Or and Not combine
  std::uint32_t where = 0;            // byte offset in the text

  friend bool operator==(const Expression& a, const Expression& b) {
    return a.kind == b.kind && a.name == b.name && a.arguments == b.arguments;
  }
};

/// `head :- body`, `head :: condition ==> effects`, or a head alone.
struct Statement {
  enum class Kind : std::uint8_t { Sentence, Rule, Operation };
  Kind kind = Kind::Sentence;
  Expression head;
  std::vector<Expression> body;     // all must hold
  std::vector<Expression> effects;  // of an operation
  std::uint32_t where = 0;
};

Expression constant(std::string name, std::uint32_t where);
Expression variable(std::string name, std::uint32_t where);
/// A constant where there are no arguments.
Expression compound(std::string name, std::vector<Expression> arguments, std::uint32_t where);
Expression negation(Expression of);
/// `cons(first,rest)`, as lists `[first,...]` are. The list without terms is the constant `nil`.
Expression list_of(Expression first, Expression rest);
Expression empty_list(std::uint32_t where);

/// Names that no text can have: `X = Y` and `X \= Y`, as atoms of two arguments.
inline constexpr const char* kEqual = "=";
inline constexpr const char* kDiffer = "/=";

/// The name of an atom with its arity, which identifies a relation, a fluent or an action.
struct Signature {
  std::string name;
  std::size_t arity = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 finds a 0 in what is defaulted
  friend std::strong_ordering operator<=>(const Signature&, const Signature&) = default;
};

/// Whether it can be a fact, a fluent or an action: a constant or a compound.
bool is_atom(const Expression& e);
Signature signature(const Expression& atom);

using Names = std::set<std::string>;

/// Adds the names of all variables in `e`.
void add_variables(const Expression& e, Names& names);
Names variables_of(const Expression& e);
/// Calls `use` with `e` and every expression below it.
void for_each(const Expression& e, const std::function<void(const Expression&)>& use);
/// Calls `use` with each atom of a condition, negated ones, too.
void for_each_sentence(const Expression& e, const std::function<void(const Expression&)>& use);
bool is_ground(const Expression& e);

/// How a dialect joins and negates conditions.
struct Signs {
  const char *both, *either, *negated;
};
inline constexpr Signs kSignsOfInfix{" & ", " | ", "~"};
inline constexpr Signs kSignsOfProlog{", ", " ; ", "\\+ "};

/// `cell(1,X,b)`, `~open & p(X)`: as HRF writes it, or another dialect.
std::string print(const Expression& e, const Signs& signs = kSignsOfInfix);

}  // namespace ludens::gdl::hrf
