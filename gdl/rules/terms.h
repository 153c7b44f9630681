// SPDX-License-Identifier: MIT
// Terms of rules: constants, variables and compounds, hash-consed so that equal terms are one
// number.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "gdl/rules/symbols.h"

namespace ludens::gdl {

/// A handle into a `Terms`; equal handles of one store are equal terms.
using Term = std::uint32_t;

/// Not thread-safe while terms are added; read-only and shareable afterwards. Variables are
/// numbered 0, 1, ... within their rule, so that rules share terms; the rule has their names.
class Terms {
 public:
  enum class Kind : std::uint8_t { Constant, Variable, Compound };

  Term constant(SymbolId symbol);
  Term variable(std::uint32_t index);
  /// A function term with at least one argument.
  Term compound(SymbolId functor, std::span<const Term> arguments);

  [[nodiscard]] Kind kind(Term t) const { return entries_[t].kind; }
  /// The symbol of a constant, the functor of a compound, or the index of a variable.
  [[nodiscard]] std::uint32_t value(Term t) const { return entries_[t].value; }
  [[nodiscard]] std::span<const Term> arguments(Term t) const {
    return {arguments_.data() + entries_[t].first, entries_[t].count};
  }
  [[nodiscard]] bool is_ground(Term t) const { return entries_[t].ground; }
  /// 1 for constants and variables.
  [[nodiscard]] std::uint32_t depth(Term t) const { return entries_[t].depth; }
  /// Number of symbols and variables in the term when it is written out; at most 2^32 - 1.
  [[nodiscard]] std::uint32_t symbol_count(Term t) const { return entries_[t].symbol_count; }
  /// Appends the variables of a term in their order in it, each as often as it occurs.
  void append_variables(Term t, std::vector<std::uint32_t>& out) const;
  /// Number of terms in the store.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Approximately how much memory the store takes.
  [[nodiscard]] std::size_t bytes() const {
    return bytes_of(entries_, arguments_) + size() * kIndexBytes;
  }

 private:
  struct Entry {
    Kind kind;
    bool ground;
    std::uint32_t depth, symbol_count;
    std::uint32_t value;
    std::uint32_t first, count;  // into arguments_
  };
  static constexpr std::size_t kIndexBytes = 48;  // of an entry of the index, with its bucket
  Term add(const Entry& entry, std::span<const Term> arguments);
  [[nodiscard]] bool equals(Term t, const Entry& entry, std::span<const Term> arguments) const;

  std::vector<Entry> entries_;
  std::vector<Term> arguments_;
  std::unordered_multimap<std::uint64_t, Term> index_;
};

}  // namespace ludens::gdl
