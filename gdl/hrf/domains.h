// SPDX-License-Identifier: MIT
// Which terms each argument can have. This is needed to write relations of numbers out as facts.
#pragma once

#include <boost/container/flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/hrf/expression.h"
#include "gdl/hrf/prefix.h"

namespace ludens::gdl::hrf {

using ConstantId = std::uint32_t;

/// Names of constants, numbered in the order in which they are first seen.
class ConstantTable {
 public:
  /// The number of a name, a new one if it has none.
  ConstantId number(const std::string& name);
  /// nullopt for a name without a number.
  [[nodiscard]] std::optional<ConstantId> find(const std::string& name) const;
  [[nodiscard]] const std::string& name(ConstantId id) const { return *names_[id]; }

 private:
  std::unordered_map<std::string, ConstantId> ids_;
  std::vector<const std::string*> names_;  // keys of `ids_`
};

/// A set of ground terms: constants, and compounds of any terms of the sets of their arguments.
/// Rules with a number that grows copy such sets thousands of times, so constants are represented
/// as numbers here.
struct Domain {  // NOLINT(bugprone-exception-escape): its sets and maps move without exceptions
  boost::container::flat_set<ConstantId> constants;
  std::map<Signature, std::vector<Domain>> compounds;

  bool operator==(const Domain& other) const = default;
  [[nodiscard]] bool empty() const { return constants.empty() && compounds.empty(); }
  /// How deep its terms nest.
  [[nodiscard]] std::size_t depth() const;
  /// True if anything was new.
  bool add(const Domain& more);
  [[nodiscard]] Domain both(const Domain& other) const;
  /// All terms, constants by name; false if there are more than `most`.
  bool list(const ConstantTable& names, std::vector<Expression>& terms, std::size_t most) const;
};

/// What the variables of a rule can be; a variable that nothing binds has no entry.
using Bindings = std::map<std::string, Domain>;

/// Most terms that a builtin's variable may be, and most rows that a builtin may expand to.
inline constexpr std::size_t kMostTerms = 2'000, kMostRows = 200'000;
/// Most terms that a set may have: there is a list for each of its subsets.
inline constexpr std::size_t kMostInSet = 12;

/// All ways to give variables terms of their domains; false if there are more than `most`.
bool assignments(const ConstantTable& names, const Names& variables, const Bindings& bindings,
                 std::size_t most, std::vector<std::map<std::string, Expression>>& out);
Expression substitute(const Expression& e, const std::map<std::string, Expression>& terms);

/// An over-approximation, argument by argument, of what the rules derive. Fluents that `base`
/// declares are restricted to these declarations where a builtin produces them: otherwise sums
/// would have no end.
class Domains {
 public:
  explicit Domains(PrefixRules& rules) : rules_(rules) {}

  /// False if the terms have no end, which has then been reported.
  bool find();
  /// The bindings under which a rule's body may hold; false if it never can.
  [[nodiscard]] bool bindings(const PrefixRule& rule, Bindings& out);
  [[nodiscard]] std::vector<Domain>& of(const Signature& relation);
  /// The names of all constants of all domains.
  [[nodiscard]] const ConstantTable& names() const { return names_; }
  /// Marks a column that a relation's rules leave open: the caller provides the term there.
  void leave_open(const Signature& relation, std::size_t column) {
    open_.emplace(relation, column);
  }
  /// What a term can be under these bindings.
  [[nodiscard]] Domain domain_of(const Expression& term, const Bindings& bindings);
  /// The terms that the groups of a count can be, by column: none if no rule gets as far as the
  /// count.
  [[nodiscard]] std::vector<Domain>& groups(const Count& count);

 private:
  bool derive(const PrefixRule& rule);
  [[nodiscard]] bool has_open_columns(const Expression& literal) const;
  bool bind(const Expression& literal, Bindings& out);
  bool bind_any(const Expression& alternatives, Bindings& out);
  bool bind_term(const Expression& pattern, const Domain& domain, Bindings& out);
  /// What a builtin's value can be, and what its variables were.
  struct Evaluated {
    Bindings inputs;
    Domain values;
  };

  bool bind_builtin(const Expression& literal, Bindings& out);
  bool evaluate(const Expression& literal, const Bindings& bound, Evaluated& known);
  void ask(const Count& count, const Expression& literal, const Bindings& bound);
  bool bind_count(const Count& count, const Expression& literal, Bindings& out);
  Domain lists_of(const Count& count, std::size_t most);
  bool restrict(const std::string& variable, const Domain& domain, Bindings& out);
  Domain numbers_up_to(std::size_t most);
  void report_endless(const Expression& literal);

  PrefixRules& rules_;
  ConstantTable names_;
  std::vector<ConstantId> numbers_;  // [n]: the constant of the number n
  std::map<Signature, std::vector<Domain>> relations_;
  std::map<std::string, std::vector<Domain>> groups_;
  std::set<std::pair<Signature, std::size_t>> open_;
  Names made_;  // variables of the current rule that a builtin binds
  /// By the literal: in another rule, variables of the same names can be something else. Literals
  /// stay where they are, as rules are only added.
  std::map<const Expression*, Evaluated> evaluated_of_;
  std::size_t evaluated_ = 0;
  bool endless_ = false;
};

}  // namespace ludens::gdl::hrf
