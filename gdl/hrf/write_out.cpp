// SPDX-License-Identifier: MIT
// A pass over translated rules: facts for relations of numbers, rules for counts.
#include "gdl/hrf/passes.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/builtins.h"
#include "gdl/hrf/domains.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;
using Terms = std::map<std::string, Expression>;

Expression number(std::size_t n, std::uint32_t where) {
  return constant(std::to_string(n), where);
}

std::vector<Expression> variables(const char* prefix, std::size_t count, std::uint32_t where) {
  std::vector<Expression> list;
  for (std::size_t i = 1; i <= count; ++i) {
    list.push_back(variable(prefix + std::to_string(i), where));
  }
  return list;
}

std::vector<Expression> joined(std::vector<Expression> first, const std::vector<Expression>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

Expression placed(Expression e, std::uint32_t where) {
  e.where = where;
  for (Expression& a : e.arguments) a = placed(std::move(a), where);
  return e;
}

void report_too_many(PrefixRules& rules, const std::string& what, std::uint32_t where) {
  rules.report(Severity::Error, "builtin-too-large", what, where);
}

std::string too_many(const std::string& what, std::size_t most) {
  return what + " comes to more than " + std::to_string(most) + " cases";
}

/// Finds all literals of builtins in a body, including those under connectives.
void find_builtins(const Expression& e, const Names& builtins,
                   std::vector<const Expression*>& found) {
  const bool connective = e.kind == Kind::Not || e.kind == Kind::And || e.kind == Kind::Or;
  if (connective) {
    for (const Expression& a : e.arguments) find_builtins(a, builtins, found);
  } else if (builtins.contains(e.name)) {
    found.push_back(&e);
  }
}

/// The facts of relations of numbers, each for what its variables can be in the rules that use it.
class NumberFacts {
 public:
  NumberFacts(PrefixRules& rules, Domains& domains) : rules_(rules), domains_(domains) {}

  void run() {
    std::vector<PrefixRule> facts;
    for (const PrefixRule& rule : rules_.rules) {
      std::vector<const Expression*> found;
      for (const Expression& l : rule.body) find_builtins(l, rules_.builtins, found);
      Bindings bindings;
      if (found.empty() || !domains_.bindings(rule, bindings)) continue;
      for (const Expression* literal : found) add(*literal, bindings, facts);
    }
    for (PrefixRule& fact : facts) rules_.rules.push_back(std::move(fact));
  }

 private:
  void add(const Expression& literal, const Bindings& bindings, std::vector<PrefixRule>& facts) {
    const bool test = builtin_kind(literal.name) == BuiltinKind::Test;
    Expression inputs = literal;
    if (!test) inputs.arguments.pop_back();
    std::vector<Terms> all;
    if (!assignments(domains_.names(), variables_of(inputs), bindings, kMostRows, all) ||
        said_.size() + all.size() > kMostRows) {
      return report_too_many(rules_, too_many("'" + print(literal) + "'", kMostRows),
                             literal.where);
    }
    for (const Terms& terms : all) {
      Expression fact = substitute(literal, terms);
      if (test && !holds(fact)) continue;
      if (!test) {
        auto value = value_of(fact);
        if (!value) continue;
        fact.arguments.back() = *std::move(value);
      }
      if (!said_.insert(print(fact)).second) continue;
      facts.push_back({placed(std::move(fact), literal.where), {}, literal.where});
    }
  }

  PrefixRules& rules_;
  Domains& domains_;
  std::set<std::string> said_;
};

/// What counts and sets have in common: their rows, by group.
class Collected {
 public:
  Collected(Sheet& sheet, PrefixRules& rules, Domains& domains, const Count& count)
      : rules_(rules),
        constants_(domains.names()),
        count_(count),
        groups_(variables("G", count.groups, count.where)),
        group_(sheet.fresh(count.name + "_group")) {
    const auto& rows = domains.of({count.rows, count.groups + count.items});
    for (std::size_t i = 0; i < count.items; ++i) items_[item_variable(i)] = rows[count.groups + i];
    for (std::size_t i = 0; i < count.groups; ++i) {
      domains_[group_variable(i)] = domains.groups(count)[i];
    }
  }

 protected:
  [[nodiscard]] std::uint32_t where() const { return count_.where; }

  /// Facts for the groups, and what the items of a row can be. False if there is no group, so that
  /// nothing is ever counted, or if the items are more than `most`: `problem` is reported.
  bool begin(const std::string& problem, std::size_t most, std::vector<Terms>& rows) {
    std::vector<Terms> groups;
    if (!all(items_, most, rows) || !all(domains_, kMostRows, groups)) {
      report_too_many(rules_, problem, where());
      return false;
    }
    if (groups.empty()) {  // nothing asks for it, but its name must not look like a mistake
      add(value(number(0, where())), {row(item_variables())});
      return false;
    }
    for (const Terms& g : groups) {
      if (count_.groups > 0) add(substitute(compound(group_, groups_, where()), g));
    }
    return true;
  }

  void add(Expression head, std::vector<Expression> body = {}) {
    rules_.add(placed(std::move(head), where()), std::move(body), where());
  }

  /// The row of a group that has these items.
  [[nodiscard]] Expression row(const std::vector<Expression>& items) const {
    return compound(count_.rows, joined(groups_, items), where());
  }
  [[nodiscard]] std::vector<Expression> item_variables() const {
    return variables("X", count_.items, where());
  }
  [[nodiscard]] Expression value(Expression result) const {
    return compound(count_.name, joined(groups_, {std::move(result)}), where());
  }
  [[nodiscard]] std::vector<Expression> in_group() const {
    if (count_.groups == 0) return {};
    return {compound(group_, groups_, where())};
  }

  PrefixRules& rules_;
  const ConstantTable& constants_;
  const Count count_;
  std::vector<Expression> groups_;

 private:
  bool all(const Bindings& domains, std::size_t most, std::vector<Terms>& out) const {
    Names names;
    for (const auto& [name, domain] : domains) names.insert(name);
    return assignments(constants_, names, domains, most, out);
  }

  std::string group_;
  Bindings items_, domains_;
};

/// A set as its list, in the order of the terms: the list from a term on is the term followed by
/// the list of the later terms if its row holds. There is a list for each possible subset. Each
/// place has a relation of its own, so that lists visibly end.
class ListedSet : Collected {
 public:
  ListedSet(Sheet& sheet, PrefixRules& rules, Domains& domains, const Count& count)
      : Collected(sheet, rules, domains, count), sheet_(sheet) {}

  void run() {
    std::vector<Terms> rows;
    if (!begin("this set may have more than " + std::to_string(kMostInSet) +
                   " terms, and there would be a list for each subset of them; 'countofall' "
                   "counts, and '~' says that there is none",
               kMostInSet, rows)) {
      return;
    }
    std::ranges::sort(rows, {}, [&](const Terms& r) { return print(term_of(r)); });
    for (std::size_t i = 0; i <= rows.size(); ++i) {
      from_.push_back(sheet_.fresh(count_.name + "_from"));
    }
    add(from(rows.size(), empty_list(where())), in_group());
    const Expression rest = variable("Rest", where());
    for (std::size_t i = rows.size(); i-- > 0;) {
      std::vector<Expression> items;
      for (const Expression& x : item_variables()) items.push_back(rows[i].at(x.name));
      const Expression behind = from(i + 1, rest);
      add(from(i, list_of(term_of(rows[i]), rest)), {behind, placed(row(items), where())});
      add(from(i, rest), {behind, negation(placed(row(items), where()))});
    }
    add(value(rest), {from(0, rest)});
  }

 private:
  [[nodiscard]] Expression term_of(const Terms& row) const { return substitute(*count_.term, row); }
  [[nodiscard]] Expression from(std::size_t place, Expression list) const {
    return compound(from_[place], joined(groups_, {std::move(list)}), where());
  }

  Sheet& sheet_;
  std::vector<std::string> from_;  // by place
};

/// A count as a network that sorts: wire i is true at the end if more than i rows hold. A
/// comparator is an OR and an AND, so that n rows take n log^2 n of them. (Batcher, Sorting
/// networks and their applications, 1968: merging of odd and even.)
class SortedCount : Collected {
 public:
  SortedCount(Sheet& sheet, PrefixRules& rules, Domains& domains, const Count& count)
      : Collected(sheet, rules, domains, count),
        sorted_(sheet.fresh(count.name + "_sorted")),
        compare_(sheet.fresh(count.name + "_compare")),
        row_(sheet.fresh(count.name + "_row")) {}

  void run() {
    std::vector<Terms> rows;
    constexpr std::size_t kMostCounted = 1'024;
    if (!begin(too_many("this count", kMostCounted), kMostCounted, rows)) return;
    if (rows.empty()) return add(value(number(0, where())), in_group());
    add_rows(rows);
    compare(rows.size());
    add_values(rows.size());
  }

 private:
  Expression sorted(Expression level, Expression wire) const {
    return compound(sorted_, joined({std::move(level), std::move(wire)}, groups_), where());
  }
  Expression at_end(std::size_t wire) const {
    return sorted(number(levels_, where()), number(wire, where()));
  }

  /// Wire i at level 0 is row i.
  void add_rows(const std::vector<Terms>& rows) {
    const auto items = item_variables();
    const Expression wire = variable("Wire", where());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      add(substitute(compound(row_, joined({number(i, where())}, items), where()), rows[i]));
    }
    add(sorted(number(0, where()), wire),
        {compound(row_, joined({wire}, items), where()), row(items)});
  }

  /// (compare LEVEL NEXT i k): the larger to wire i, the smaller to wire k. A wire that is compared
  /// with none at a level is compared with itself.
  void compare(std::size_t n) {
    if (n < 2) return;
    for (std::size_t p = 1; p < n; p *= 2) {
      for (std::size_t k = p; k >= 1; k /= 2) {
        std::vector<std::size_t> partner(n);
        for (std::size_t i = 0; i < n; ++i) partner[i] = i;
        for (std::size_t j = k % p; j + k < n; j += 2 * k) {
          for (std::size_t i = 0; i < std::min(k, n - j - k); ++i) {
            if ((i + j) / (p * 2) == (i + j + k) / (p * 2)) pair(partner, i + j, i + j + k);
          }
        }
        add_level(partner);
      }
    }
    const Expression level = variable("Level", where()), next = variable("Next", where());
    const Expression high = variable("High", where()), low = variable("Low", where());
    const Expression compared = compound(compare_, {level, next, high, low}, where());
    add(sorted(next, high), {compared, sorted(level, high)});
    add(sorted(next, high), {compared, sorted(level, low)});
    add(sorted(next, low), {compared, sorted(level, high), sorted(level, low)});
  }

  static void pair(std::vector<std::size_t>& partner, std::size_t a, std::size_t b) {
    partner[a] = b;
    partner[b] = a;
  }

  void add_level(const std::vector<std::size_t>& partner) {
    for (std::size_t i = 0; i < partner.size(); ++i) {
      if (partner[i] < i) continue;
      add(compound(compare_,
                   {number(levels_, where()), number(levels_ + 1, where()), number(i, where()),
                    number(partner[i], where())},
                   where()));
    }
    ++levels_;
  }

  /// Exactly n rows hold if wire n - 1 is true and wire n is not.
  void add_values(std::size_t rows) {
    for (std::size_t n = 0; n <= rows; ++n) {
      std::vector<Expression> body = in_group();
      if (n > 0) body.push_back(at_end(n - 1));
      if (n < rows) body.push_back(negation(at_end(n)));
      add(value(number(n, where())), std::move(body));
    }
  }

  std::string sorted_, compare_, row_;
  std::size_t levels_ = 0;
};

}  // namespace

void write_out_builtins(Sheet& sheet, PrefixRules& rules) {
  if (rules.builtins.empty() && rules.counts.empty()) return;
  Domains domains(rules);
  if (!domains.find()) return;
  NumberFacts(rules, domains).run();
  const std::vector<Count> counts = rules.counts;
  for (const Count& count : counts) {
    if (count.term) {
      ListedSet(sheet, rules, domains, count).run();
    } else {
      SortedCount(sheet, rules, domains, count).run();
    }
  }
}

}  // namespace ludens::gdl::hrf
