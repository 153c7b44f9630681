// SPDX-License-Identifier: MIT
#include "server/board/domains.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <set>
#include <tuple>
#include <utility>

namespace ludens::server {

namespace {

using gdl::Term;

/// A set of symbols: the words of a bit set without those that are zero. Most slots hold a few of
/// many thousand constants.
class Constants {
 public:
  void insert(gdl::SymbolId symbol) {
    Constants one;
    one.words_.emplace_back(symbol / kBits, std::uint64_t{1} << symbol % kBits);
    add(one);
  }
  /// Returns whether something is new.
  bool add(const Constants& others) {
    std::vector<Word> sum;
    sum.reserve(words_.size());
    bool grown = false;
    auto own = words_.begin();
    for (const auto& [place, bits] : others.words_) {
      while (own != words_.end() && own->first < place) sum.push_back(*own++);
      const bool here = own != words_.end() && own->first == place;
      const std::uint64_t known = here ? (own++)->second : 0;
      grown |= (bits & ~known) != 0;
      sum.emplace_back(place, bits | known);
    }
    sum.insert(sum.end(), own, words_.end());
    if (grown) words_ = std::move(sum);
    return grown;
  }
  void keep_only(const Constants& others) {
    auto other = others.words_.begin();
    for (auto& [place, bits] : words_) {
      while (other != others.words_.end() && other->first < place) ++other;
      bits &= other != others.words_.end() && other->first == place ? other->second : 0;
    }
    std::erase_if(words_, [](const Word& word) { return word.second == 0; });
  }
  [[nodiscard]] std::vector<gdl::SymbolId> symbols() const {
    std::vector<gdl::SymbolId> all;
    for (auto [place, bits] : words_) {
      for (; bits != 0; bits &= bits - 1) {
        all.push_back(place * kBits + static_cast<gdl::SymbolId>(std::countr_zero(bits)));
      }
    }
    return all;
  }

 private:
  using Word = std::pair<std::uint32_t, std::uint64_t>;
  static constexpr std::uint32_t kBits = 64;

  std::vector<Word> words_;  // by place
};

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
    spread();
  }

  [[nodiscard]] std::vector<FluentShape> shapes() const;

 private:
  /// The slots that the occurrences of a variable in a body have: what all of them hold flows on.
  using Sources = std::vector<std::uint32_t>;

  void add(const gdl::Rule& rule);
  void add_constants(const std::vector<Occurrence>& head);
  void add_flows(const gdl::Rule& rule, const std::vector<Occurrence>& head);
  void add_fluent(Term term);
  [[nodiscard]] std::vector<std::uint32_t> order() const;
  void spread();
  bool fill(std::uint32_t slot);
  [[nodiscard]] std::vector<std::string> names(const Slot& slot) const;
  [[nodiscard]] std::vector<Occurrence> occurrences(gdl::RelationId relation,
                                                    const std::vector<Term>& arguments) const;
  void append(std::vector<Occurrence>& out, Space space, Term term) const;
  std::uint32_t number(const Slot& slot);

  const gdl::Rules& rules_;
  std::map<Slot, std::uint32_t> numbers_;
  // These three are indexed by the number of a slot.
  std::vector<Constants> constants_;                 // that it holds
  std::vector<std::vector<Sources>> flows_;          // into it
  std::vector<std::vector<std::uint32_t>> readers_;  // the slots that it flows into
  std::map<Slot, bool> compound_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fluents_;  // functor, arity: in text order
};

std::uint32_t Propagation::number(const Slot& slot) {
  const auto [found, added] =
      numbers_.try_emplace(slot, static_cast<std::uint32_t>(constants_.size()));
  if (added) {
    constants_.emplace_back();
    flows_.emplace_back();
    readers_.emplace_back();
  }
  return found->second;
}

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
  const std::vector<Occurrence> head = occurrences(rule.head, rule.arguments);
  add_constants(head);
  if (rule.head == gdl::kInit || rule.head == gdl::kNext) add_fluent(rule.arguments[0]);
  if (!rule.variables.empty()) add_flows(rule, head);
}

void Propagation::add_flows(const gdl::Rule& rule, const std::vector<Occurrence>& head) {
  std::map<std::uint32_t, Sources> sources;  // by variable
  for (const gdl::Literal& literal : rule.body) {
    if (literal.kind != gdl::Literal::Kind::Positive) continue;
    for (const Occurrence& o : occurrences(literal.relation, literal.arguments)) {
      if (rules_.terms.kind(o.term) != gdl::Terms::Kind::Variable) continue;
      sources[rules_.terms.value(o.term)].push_back(number(o.slot));
    }
  }
  for (const Occurrence& o : head) {
    if (rules_.terms.kind(o.term) != gdl::Terms::Kind::Variable) continue;
    const auto of_variable = sources.find(rules_.terms.value(o.term));
    if (of_variable == sources.end()) continue;
    const std::uint32_t slot = number(o.slot);
    for (const std::uint32_t source : of_variable->second) readers_[source].push_back(slot);
    flows_[slot].push_back(of_variable->second);
  }
}

void Propagation::add_constants(const std::vector<Occurrence>& head) {
  for (const Occurrence& o : head) {
    const auto kind = rules_.terms.kind(o.term);
    if (kind == gdl::Terms::Kind::Constant) {
      constants_[number(o.slot)].insert(rules_.terms.value(o.term));
    }
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

/// The slots in topological order: each comes after all slots that flow into it, unless they form a
/// cycle. This is the reverse of the order in which a depth-first search leaves them.
std::vector<std::uint32_t> Propagation::order() const {
  std::vector<std::uint32_t> left;
  std::vector<bool> seen(readers_.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // slots, and their next reader
  const auto enter = [&](std::uint32_t slot) {
    if (!seen[slot]) path.emplace_back(slot, 0);
    seen[slot] = true;
  };
  for (std::uint32_t start = 0; start < readers_.size(); ++start) {
    enter(start);
    while (!path.empty()) {
      auto& [slot, next] = path.back();
      if (next < readers_[slot].size()) {
        enter(readers_[slot][next++]);
      } else {
        left.push_back(slot);
        path.pop_back();
      }
    }
  }
  std::reverse(left.begin(), left.end());
  return left;
}

/// Fills slots until nothing changes, in an order in which the length of a chain of rules does not
/// multiply the work.
void Propagation::spread() {
  const std::vector<std::uint32_t> slots = order();
  std::vector<std::uint32_t> place(slots.size());
  std::set<std::uint32_t> open;  // places of slots to fill
  for (std::uint32_t at = 0; at < slots.size(); ++at) {
    place[slots[at]] = at;
    open.insert(open.end(), at);
  }
  while (!open.empty()) {
    const std::uint32_t slot = slots[open.extract(open.begin()).value()];
    if (!fill(slot)) continue;
    for (const std::uint32_t reader : readers_[slot]) open.insert(place[reader]);
  }
}

/// Returns whether the slot has grown by what flows into it.
bool Propagation::fill(std::uint32_t slot) {
  bool grown = false;
  for (const Sources& sources : flows_[slot]) {
    Constants allowed = constants_[sources.front()];
    for (const std::uint32_t source : sources) allowed.keep_only(constants_[source]);
    grown |= constants_[slot].add(allowed);
  }
  return grown;
}

std::vector<std::string> Propagation::names(const Slot& slot) const {
  std::vector<std::string> out;
  const auto known = numbers_.find(slot);
  if (known == numbers_.end()) return out;
  for (const gdl::SymbolId symbol : constants_[known->second].symbols()) {
    out.push_back(rules_.symbols.folded(symbol));
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
