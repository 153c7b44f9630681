// SPDX-License-Identifier: MIT
// What earlier searches found out about a state, for those that reach it again.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "gdl/machine/state.h"
#include "gdl/machine/vocabulary.h"
#include "gdl/memory/limits.h"
#include "search/tree/backup.h"

namespace ludens::search {

/// A transposition table of fixed size with 128-bit keys: a proved value never comes from another
/// state. Buckets of two: one for the deepest search, one for the latest. One thread.
class TranspositionTable {
 public:
  enum class Bound : std::uint16_t { None, Lower, Upper, Exact };
  struct Entry {
    gdl::StateHash key;
    Backup backup;  // `value` as `bound` says, searched to `depth`; low and high are proved
    gdl::MoveId move = gdl::kNoMove;  // the best of the role that decides first, if known
    std::uint16_t depth : 14 = 0;     // plies below the state
    Bound bound : 2 = Bound::None;
    std::uint16_t age = 0;  // the iteration of the search that stored it
  };

  /// At most `bytes`, reserved from `memory` (null: no limit); less, possibly nothing, if that has
  /// less left.
  TranspositionTable(std::size_t bytes, gdl::MemoryBudget* memory);
  ~TranspositionTable();
  TranspositionTable(const TranspositionTable&) = delete;
  TranspositionTable& operator=(const TranspositionTable&) = delete;

  [[nodiscard]] const Entry* find(const gdl::StateHash& key) const;
  /// Keeps what is already proved about the same state.
  void store(Entry entry);
  /// Entries stored before are replaced first.
  void start_iteration() { ++age_; }
  [[nodiscard]] bool is_of_this_iteration(const Entry& entry) const { return entry.age == age_; }
  [[nodiscard]] std::size_t capacity() const { return buckets_ * 2; }

 private:
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  [[nodiscard]] Entry* bucket(const gdl::StateHash& key) const {
    return &entries_[2 * (key.low & (buckets_ - 1))];
  }

  gdl::MemoryBudget* memory_;
  std::size_t buckets_ = 0;  // a power of two, or 0
  std::unique_ptr<Entry[], Free> entries_;
  std::uint16_t age_ = 0;
};

}  // namespace ludens::search
