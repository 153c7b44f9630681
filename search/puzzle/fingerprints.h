// SPDX-License-Identifier: MIT
// All states seen, in 16 bytes each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "gdl/machine/state.h"
#include "gdl/memory/limits.h"

namespace ludens::search::puzzle {

/// A set of 128-bit fingerprints: open addressing in many small tables, each of which doubles
/// independently, so that no insertion takes longer than moving one of them. One thread.
class Fingerprints {
 public:
  enum class Insertion : std::uint8_t { New, Seen, OutOfMemory };

  /// Memory is reserved from `memory`, which must outlive the set; null: no limit.
  explicit Fingerprints(gdl::MemoryBudget* memory) : memory_(memory) {}
  ~Fingerprints() { clear(); }
  Fingerprints(const Fingerprints&) = delete;
  Fingerprints& operator=(const Fingerprints&) = delete;

  Insertion insert(const gdl::StateHash& key);
  /// Fetches the place of a key that will be inserted soon.
  void prefetch(const gdl::StateHash& key) const {
    const Table& table = tables_[key.high % kTables];
    if (table.capacity != 0) __builtin_prefetch(&table.keys[key.low & (table.capacity - 1)], 1);
  }
  void clear();
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kTables = 4096;
  struct Free {
    void operator()(gdl::StateHash* keys) const { std::free(keys); }
  };
  struct Table {
    std::unique_ptr<gdl::StateHash[], Free> keys;  // all zero: free
    std::uint32_t capacity = 0;                    // a power of two
    std::uint32_t used = 0;
    [[nodiscard]] gdl::StateHash& slot(const gdl::StateHash& key) const;
  };
  bool grow(Table& table);

  gdl::MemoryBudget* memory_;
  std::array<Table, kTables> tables_;
  std::size_t size_ = 0, bytes_ = 0;
};

}  // namespace ludens::search::puzzle
