// SPDX-License-Identifier: MIT
// Ground terms at run time, hash-consed: equal terms are one number.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/interpreter/account.h"
#include "gdl/machine/vocabulary.h"
#include "gdl/rules/symbols.h"

namespace ludens::gdl::interpreter {

using TermId = std::uint32_t;
using FunctorId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

/// The machine has one with all terms of the rules; each context starts with a copy. Not
/// thread-safe while terms are added.
class TermStore {
 public:
  struct Functor {
    SymbolId symbol;
    std::uint32_t arity;
  };

  explicit TermStore(Account* account = nullptr);
  TermStore(const TermStore& base, Account* account);

  TermId constant(SymbolId symbol);
  FunctorId functor(SymbolId symbol, std::uint32_t arity);
  TermId compound(FunctorId functor, const TermId* arguments);
  /// The term that a row of cells represents, as in the vocabulary.
  TermId read(GroundTerm cells);
  /// Throws BudgetExhausted if the term has more than `kMostCells`.
  void write(TermId term, std::vector<std::uint32_t>& cells) const;

  [[nodiscard]] bool is_constant(TermId t) const { return (entries_[t].head & kConstantBit) != 0; }
  /// kNone for a constant.
  [[nodiscard]] FunctorId functor_of(TermId t) const {
    return is_constant(t) ? kNone : entries_[t].head;
  }
  [[nodiscard]] SymbolId symbol_of(TermId constant) const {
    return entries_[constant].head & ~kConstantBit;
  }
  [[nodiscard]] const Functor& functor_at(FunctorId f) const { return functors_[f]; }
  [[nodiscard]] std::size_t functor_count() const { return functors_.size(); }
  /// Valid until the next term is added.
  [[nodiscard]] const TermId* arguments(TermId t) const {
    return arguments_.data() + entries_[t].first;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::uint32_t kConstantBit = 0x80000000;
  static constexpr std::uint32_t kTooMany = kMostCells + 1;
  struct Entry {
    std::uint32_t head;   // functor, or symbol with kConstantBit
    std::uint32_t first;  // into arguments_
    std::uint32_t cells;  // of the term written out, at most kTooMany
  };
  [[nodiscard]] std::uint64_t hash(std::uint32_t head, const TermId* arguments,
                                   std::uint32_t count) const;
  TermId intern(std::uint32_t head, const TermId* arguments, std::uint32_t count);
  [[nodiscard]] std::uint32_t count_cells(std::uint32_t head, const TermId* arguments,
                                          std::uint32_t count) const;
  void grow_table();

  CountedVector<Entry> entries_;
  CountedVector<TermId> arguments_;
  CountedVector<std::uint32_t> table_;  // open addressing: term + 1, 0 is free
  CountedVector<Functor> functors_;
};

}  // namespace ludens::gdl::interpreter
