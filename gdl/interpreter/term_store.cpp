// SPDX-License-Identifier: MIT
#include "gdl/interpreter/term_store.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {

namespace {

bool equal_arguments(const TermId* a, const TermId* b, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {  // a few: faster than a call of the library
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

TermStore::TermStore(Account* account)
    : entries_(Counted<Entry>(account)),
      arguments_(Counted<TermId>(account)),
      table_(256, 0, Counted<std::uint32_t>(account)),
      functors_(Counted<Functor>(account)) {}

TermStore::TermStore(const TermStore& base, Account* account)
    : entries_(base.entries_, Counted<Entry>(account)),
      arguments_(base.arguments_, Counted<TermId>(account)),
      table_(base.table_, Counted<std::uint32_t>(account)),
      functors_(base.functors_, Counted<Functor>(account)) {}

TermId TermStore::constant(SymbolId symbol) {
  return intern(symbol | kConstantBit, nullptr, 0);
}

FunctorId TermStore::functor(SymbolId symbol, std::uint32_t arity) {
  for (FunctorId f = 0; f < functors_.size(); ++f) {
    if (functors_[f].symbol == symbol && functors_[f].arity == arity) return f;
  }
  functors_.push_back({symbol, arity});
  return static_cast<FunctorId>(functors_.size() - 1);
}

TermId TermStore::compound(FunctorId functor, const TermId* arguments) {
  return intern(functor, arguments, functors_[functor].arity);
}

std::uint64_t TermStore::hash(std::uint32_t head, const TermId* arguments,
                              std::uint32_t count) const {
  std::uint64_t h = mix(kHashStart, head);
  for (std::uint32_t i = 0; i < count; ++i) h = mix(h, arguments[i]);
  return h >> 32;
}

TermId TermStore::intern(std::uint32_t head, const TermId* arguments, std::uint32_t count) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(head, arguments, count) & mask;
  while (table_[slot] != 0) {
    const TermId t = table_[slot] - 1;
    if (entries_[t].head == head &&
        equal_arguments(arguments, arguments_.data() + entries_[t].first, count)) {
      return t;
    }
    slot = (slot + 1) & mask;
  }
  const auto id = static_cast<TermId>(entries_.size());
  const auto first = static_cast<std::uint32_t>(arguments_.size());
  const std::uint32_t cells = count_cells(head, arguments, count);
  arguments_.insert(arguments_.end(), arguments, arguments + count);
  entries_.push_back({head, first, cells});
  table_[slot] = id + 1;
  if (entries_.size() * 2 > table_.size()) grow_table();
  return id;
}

std::uint32_t TermStore::count_cells(std::uint32_t head, const TermId* arguments,
                                     std::uint32_t count) const {
  std::uint32_t cells = (head & kConstantBit) != 0 ? 1 : 2;
  for (std::uint32_t i = 0; i < count; ++i) {
    cells = std::min(kTooMany, cells + entries_[arguments[i]].cells);
  }
  return cells;
}

void TermStore::grow_table() {
  CountedVector<std::uint32_t> larger(table_.size() * 2, 0, table_.get_allocator());
  const std::size_t mask = larger.size() - 1;
  for (TermId t = 0; t < entries_.size(); ++t) {
    const std::uint32_t head = entries_[t].head;
    const std::uint32_t count = is_constant(t) ? 0 : functors_[head].arity;
    std::size_t slot = hash(head, arguments(t), count) & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = t + 1;
  }
  table_.swap(larger);
}

TermId TermStore::read(GroundTerm cells) {
  // Backwards, so that the arguments of a compound are ready, the first on top, when it comes. A
  // compound's argument count follows its functor: find the cells that begin terms first.
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < cells.size(); i += (cells[i] & 1) != 0 ? 2 : 1) begins.push_back(i);
  std::vector<TermId> ready, arguments;
  for (auto it = begins.rbegin(); it != begins.rend(); ++it) {
    const std::uint32_t cell = cells[*it];
    if ((cell & 1) == 0) {
      ready.push_back(constant(cell >> 1));
      continue;
    }
    const std::uint32_t count = cells[*it + 1];
    arguments.assign(ready.rbegin(), ready.rbegin() + count);
    ready.resize(ready.size() - count);
    ready.push_back(compound(functor(cell >> 1, count), arguments.data()));
  }
  return ready.back();
}

void TermStore::write(TermId term, std::vector<std::uint32_t>& cells) const {
  if (entries_[term].cells > kMostCells) throw BudgetExhausted();
  std::vector<TermId> todo{term};
  while (!todo.empty()) {
    const TermId t = todo.back();
    todo.pop_back();
    if (is_constant(t)) {
      cells.push_back(symbol_of(t) * 2);
      continue;
    }
    const Functor& f = functors_[entries_[t].head];
    cells.push_back(f.symbol * 2 + 1);
    cells.push_back(f.arity);
    for (std::uint32_t i = f.arity; i-- > 0;) todo.push_back(arguments(t)[i]);
  }
}

}  // namespace ludens::gdl::interpreter
