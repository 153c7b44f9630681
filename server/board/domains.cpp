// SPDX-License-Identifier: MIT
#include "server/board/domains.h"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <compare>
#include <optional>
#include <tuple>

namespace ludens::server {

namespace {

using gdl::Term;
using Constants = boost::dynamic_bitset<>;

/// Where a constant may occur: in a relation or in a function. Fluents and moves are functions, and
/// variables may pass them on, so a function is the same wherever it occurs. What `base` declares
/// is kept separately.
enum class Space : std::uint8_t { Relation, Function, Declared };
struct Slot {
  Space space;
  std::uint32_t name;  // relation, or functor
  std::uint32_t arity;
  std::uint32_t argument;
  std::strong_ordering operator<=>(const Slot&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// An argument of an atom, with its slot.
struct Occurrence {
  Slot slot;
  Term term;
};

class Propagation {
 public:
  explicit Propagation(const gdl::Rules& rules) : rules_(rules) {
    for (const gdl::Rule& rule : rules.rules) add(rule);
    while (pass()) {
    }
  }

  [[nodiscard]] std::vector<FluentShape> shapes() const;

 private:
  struct RuleFlow {
    std::vector<Occurrence> head;
    std::map<std::uint32_t, std::vector<Slot>> sources;  // by variable
  };

  void add(const gdl::Rule& rule);
  void add_constants(const std::vector<Occurrence>& head);
  void add_fluent(Term term);
  [[nodiscard]] std::vector<std::string> names(const Slot& slot) const;
  bool pass();
  [[nodiscard]] std::vector<Occurrence> occurrences(gdl::RelationId relation,
                                                    const std::vector<Term>& arguments) const;
  void append(std::vector<Occurrence>& out, Space space, Term term) const;
  Constants& constants(const Slot& slot) {
    return slots_.try_emplace(slot, rules_.symbols.size()).first->second;
  }

  const gdl::Rules& rules_;
  std::vector<RuleFlow> flows_;
  std::map<Slot, Constants> slots_;
  std::map<Slot, bool> compound_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fluents_;  // functor, arity: in text order
};

void Propagation::append(std::vector<Occurrence>& out, Space space, Term term) const {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term compound = open.back();
    open.pop_back();
    if (rules_.terms.kind(compound) != gdl::Terms::Kind::Compound) continue;
    const auto arguments = rules_.terms.arguments(compound);
    const auto arity = static_cast<std::uint32_t>(arguments.size());
    for (std::uint32_t i = 0; i < arity; ++i) {
      out.push_back({{space, rules_.terms.value(compound), arity, i}, arguments[i]});
      open.push_back(arguments[i]);
    }
  }
}

std::vector<Occurrence> Propagation::occurrences(gdl::RelationId relation,
                                                 const std::vector<Term>& arguments) const {
  std::vector<Occurrence> out;
  switch (relation) {
    case gdl::kBase:
      append(out, Space::Declared, arguments[0]);
      break;
    case gdl::kInput:
      break;  // says nothing of fluents
    case gdl::kInit:
    case gdl::kTrue:
    case gdl::kNext:
      append(out, Space::Function, arguments[0]);
      break;
    case gdl::kLegal:
    case gdl::kDoes:
      out.push_back({{Space::Relation, gdl::kRole, 1, 0}, arguments[0]});
      append(out, Space::Function, arguments[1]);
      break;
    default:
      for (std::uint32_t i = 0; i < arguments.size(); ++i) {
        out.push_back({{Space::Relation, relation, static_cast<std::uint32_t>(arguments.size()), i},
                       arguments[i]});
        append(out, Space::Function, arguments[i]);
      }
  }
  return out;
}

void Propagation::add(const gdl::Rule& rule) {
  RuleFlow flow;
  flow.head = occurrences(rule.head, rule.arguments);
  add_constants(flow.head);
  if (rule.head == gdl::kInit || rule.head == gdl::kNext) add_fluent(rule.arguments[0]);
  if (rule.variables.empty()) return;
  for (const gdl::Literal& literal : rule.body) {
    if (literal.kind != gdl::Literal::Kind::Positive) continue;
    for (const Occurrence& o : occurrences(literal.relation, literal.arguments)) {
      if (rules_.terms.kind(o.term) == gdl::Terms::Kind::Variable) {
        flow.sources[rules_.terms.value(o.term)].push_back(o.slot);
      }
    }
  }
  flows_.push_back(std::move(flow));
}

void Propagation::add_constants(const std::vector<Occurrence>& head) {
  for (const Occurrence& o : head) {
    Constants& known = constants(o.slot);
    const auto kind = rules_.terms.kind(o.term);
    if (kind == gdl::Terms::Kind::Constant) known.set(rules_.terms.value(o.term));
    if (kind == gdl::Terms::Kind::Compound) compound_[o.slot] = true;
  }
}

void Propagation::add_fluent(Term term) {
  if (rules_.terms.kind(term) != gdl::Terms::Kind::Compound) return;
  const std::pair fluent{rules_.terms.value(term),
                         static_cast<std::uint32_t>(rules_.terms.arguments(term).size())};
  if (std::find(fluents_.begin(), fluents_.end(), fluent) == fluents_.end()) {
    fluents_.push_back(fluent);
  }
}

bool Propagation::pass() {
  bool changed = false;
  for (const RuleFlow& flow : flows_) {
    for (const Occurrence& o : flow.head) {
      if (rules_.terms.kind(o.term) != gdl::Terms::Kind::Variable) continue;
      const auto sources = flow.sources.find(rules_.terms.value(o.term));
      if (sources == flow.sources.end()) continue;
      Constants allowed = constants(sources->second.front());
      for (const Slot& slot : sources->second) allowed &= constants(slot);
      Constants& known = constants(o.slot);
      if (allowed.is_subset_of(known)) continue;
      known |= allowed;
      changed = true;
    }
  }
  return changed;
}

std::vector<std::string> Propagation::names(const Slot& slot) const {
  std::vector<std::string> out;
  const auto known = slots_.find(slot);
  if (known == slots_.end()) return out;
  for (auto s = known->second.find_first(); s != Constants::npos; s = known->second.find_next(s)) {
    out.push_back(rules_.symbols.folded(static_cast<gdl::SymbolId>(s)));
  }
  return out;
}

std::vector<FluentShape> Propagation::shapes() const {
  std::vector<FluentShape> out;
  for (const auto& [functor, arity] : fluents_) {
    FluentShape shape;
    shape.name = rules_.symbols.folded(functor);
    for (std::uint32_t i = 0; i < arity; ++i) {
      auto declared = names({Space::Declared, functor, arity, i});
      const Slot slot{Space::Function, functor, arity, i};
      shape.declared |= !declared.empty();
      shape.arguments.push_back(declared.empty() ? names(slot) : std::move(declared));
      shape.may_be_compound.push_back(compound_.contains(slot));
    }
    out.push_back(std::move(shape));
  }
  return out;
}

}  // namespace

std::vector<FluentShape> fluent_shapes(const gdl::Rules& rules) {
  return Propagation(rules).shapes();
}

}  // namespace ludens::server
