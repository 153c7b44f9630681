// SPDX-License-Identifier: MIT
#include "gdl/rules/terms.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::gdl {

Term Terms::constant(SymbolId symbol) {
  return add({Kind::Constant, true, 1, 1, symbol, 0, 0}, {});
}

Term Terms::variable(std::uint32_t index) {
  return add({Kind::Variable, false, 1, 1, index, 0, 0}, {});
}

Term Terms::compound(SymbolId functor, std::span<const Term> arguments) {
  Entry entry{Kind::Compound, true, 0, 0, functor, 0, static_cast<std::uint32_t>(arguments.size())};
  std::uint64_t symbols = 1;
  for (const Term t : arguments) {
    entry.ground = entry.ground && is_ground(t);
    entry.depth = std::max(entry.depth, depth(t));
    symbols += symbol_count(t);
  }
  entry.symbol_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(symbols, 0xffffffff));
  ++entry.depth;
  return add(entry, arguments);
}

void Terms::append_variables(Term t, std::vector<std::uint32_t>& out) const {
  if (is_ground(t)) return;
  std::vector<Term> pending{t};
  while (!pending.empty()) {
    const Term top = pending.back();
    pending.pop_back();
    if (kind(top) == Kind::Variable) out.push_back(value(top));
    const auto inner = arguments(top);
    for (auto a = inner.rbegin(); a != inner.rend(); ++a) {
      if (!is_ground(*a)) pending.push_back(*a);
    }
  }
}

bool Terms::equals(Term t, const Entry& entry, std::span<const Term> arguments) const {
  return entries_[t].kind == entry.kind && entries_[t].value == entry.value &&
         std::ranges::equal(this->arguments(t), arguments);
}

Term Terms::add(const Entry& entry, std::span<const Term> arguments) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(entry.kind), entry.value);
  for (const Term t : arguments) hash = mix(hash, t);
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (equals(it->second, entry, arguments)) return it->second;
  }
  const auto id = static_cast<Term>(entries_.size());
  entries_.push_back(entry);
  entries_.back().first = static_cast<std::uint32_t>(arguments_.size());
  const std::vector<Term> copy(arguments.begin(), arguments.end());  // it may point into arguments_
  arguments_.insert(arguments_.end(), copy.begin(), copy.end());
  index_.emplace(hash, id);
  return id;
}

}  // namespace ludens::gdl
