// SPDX-License-Identifier: MIT
// States seen, each with a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "gdl/machine/state.h"
#include "gdl/memory/limits.h"

namespace ludens::search {

/// A hash table by 128-bit keys. It grows by adding tables twice as large and never moves an entry,
/// so that no insertion takes long and pointers stay valid. One thread.
class StateMap {
 public:
  /// Memory is reserved from `memory`, which must outlive the map; null: no limit.
  explicit StateMap(gdl::MemoryBudget* memory) : memory_(memory) {}
  ~StateMap();
  StateMap(const StateMap&) = delete;
  StateMap& operator=(const StateMap&) = delete;

  /// Null if the state is not there.
  [[nodiscard]] std::uint32_t* find(const gdl::StateHash& key) const;
  /// Inserts a state that is not there yet; returns false, and changes nothing, when memory is used
  /// up.
  bool insert(const gdl::StateHash& key, std::uint32_t number);
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Entry {
    gdl::StateHash key;
    std::uint32_t number;
    std::uint32_t used;
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  struct Table {
    std::unique_ptr<Entry[], Free> entries;
    std::size_t capacity = 0;  // a power of two
    std::size_t used = 0;
    [[nodiscard]] Entry& slot(const gdl::StateHash& key) const;
  };
  bool add_table();

  gdl::MemoryBudget* memory_;
  std::vector<Table> tables_;
  std::size_t size_ = 0;
};

}  // namespace ludens::search
