// SPDX-License-Identifier: MIT
// What proof-number search knows about states.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "gdl/machine/state.h"
#include "gdl/memory/limits.h"

namespace ludens::search {

/// A table of fixed size with 128-bit keys: proved results never come from another state. Buckets
/// of four; the entry that took the least work is replaced. For one thread.
class ProofTable {
 public:
  struct Entry {
    gdl::StateHash key;
    std::uint32_t proof = 0, disproof = 0;  // numbers, for the threshold at that time
    std::uint32_t work = 0;                 // states visited to find them; 0: no entry
    std::uint16_t question = 0;
    std::uint8_t low = 0, high = 100;  // the value lies there, proved
  };

  /// At most `bytes`, reserved from `memory` (null: no limit); less if that has less left.
  ProofTable(std::size_t bytes, gdl::MemoryBudget* memory);
  ~ProofTable();
  ProofTable(const ProofTable&) = delete;
  ProofTable& operator=(const ProofTable&) = delete;

  void prefetch(const gdl::StateHash& key) const { __builtin_prefetch(bucket(key)); }
  [[nodiscard]] const Entry* find(const gdl::StateHash& key) const;
  /// Replaces what is known about the state.
  void store(const Entry& entry);

 private:
  static constexpr std::size_t kBucket = 4;
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  [[nodiscard]] Entry* bucket(const gdl::StateHash& key) const {
    return &entries_[kBucket * (key.low & mask_)];
  }

  gdl::MemoryBudget* memory_;
  std::size_t bytes_ = 0;
  std::size_t mask_ = 0;
  std::unique_ptr<Entry[], Free> entries_;
};

}  // namespace ludens::search
