// SPDX-License-Identifier: MIT
#include "search/solve/proof_table.h"

#include <algorithm>
#include <bit>
#include <new>
#include <type_traits>

namespace ludens::search {

ProofTable::ProofTable(std::size_t bytes, gdl::MemoryBudget* memory) : memory_(memory) {
  static_assert(std::is_trivially_destructible_v<Entry> && sizeof(Entry) == 32);
  constexpr std::size_t kBucketBytes = kBucket * sizeof(Entry);
  for (std::size_t buckets = std::bit_floor(std::max(bytes / kBucketBytes, std::size_t{1}));
       buckets > 0; buckets /= 2) {
    bytes_ = buckets * kBucketBytes;
    // The last, smallest table is made whatever the budget says: 128 bytes.
    if (buckets > 1 && memory_ != nullptr && !memory_->reserve(bytes_)) continue;
    // Zeroed pages come from the system as they are touched.
    entries_.reset(static_cast<Entry*>(std::calloc(buckets * kBucket, sizeof(Entry))));
    mask_ = buckets - 1;
    if (entries_ != nullptr) break;
    if (buckets > 1 && memory_ != nullptr) memory_->release(bytes_);
  }
  if (entries_ == nullptr) throw std::bad_alloc();
}

ProofTable::~ProofTable() {
  if (memory_ != nullptr && mask_ > 0) memory_->release(bytes_);
}

const ProofTable::Entry* ProofTable::find(const gdl::StateHash& key) const {
  const Entry* entries = bucket(key);
  for (std::size_t i = 0; i < kBucket; ++i) {
    if (entries[i].key == key && entries[i].work != 0) return &entries[i];
  }
  return nullptr;
}

void ProofTable::store(const Entry& entry) {
  Entry* const entries = bucket(entry.key);
  Entry* least = entries;
  for (Entry* old = entries; old != entries + kBucket; ++old) {
    if (old->work != 0 && old->key == entry.key) {
      *old = entry;
      return;
    }
    if (old->work < least->work) least = old;
  }
  *least = entry;
}

}  // namespace ludens::search
