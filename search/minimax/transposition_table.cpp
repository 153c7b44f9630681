// SPDX-License-Identifier: MIT
#include "search/minimax/transposition_table.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace ludens::search {

namespace {

constexpr std::size_t kBucketBytes = 2 * sizeof(TranspositionTable::Entry);
constexpr std::size_t kFewestBuckets = 64;

bool is_free(const TranspositionTable::Entry& entry) {
  return entry.key == gdl::StateHash{};
}

}  // namespace

TranspositionTable::TranspositionTable(std::size_t bytes, gdl::MemoryBudget* memory)
    : memory_(memory) {
  static_assert(std::is_trivially_destructible_v<Entry> && sizeof(Entry) == 48);
  for (std::size_t buckets = std::bit_floor(bytes / kBucketBytes); buckets >= kFewestBuckets;
       buckets /= 2) {
    if (memory_ != nullptr && !memory_->reserve(buckets * kBucketBytes)) continue;
    // Zeroed pages come from the system as they are touched: a large table costs no time here.
    entries_.reset(static_cast<Entry*>(std::calloc(buckets * 2, sizeof(Entry))));
    if (entries_ != nullptr) {
      buckets_ = buckets;
      return;
    }
    if (memory_ != nullptr) memory_->release(buckets * kBucketBytes);
  }
}

TranspositionTable::~TranspositionTable() {
  if (memory_ != nullptr) memory_->release(buckets_ * kBucketBytes);
}

const TranspositionTable::Entry* TranspositionTable::find(const gdl::StateHash& key) const {
  if (buckets_ == 0) return nullptr;
  const Entry* entries = bucket(key);
  for (std::size_t i = 0; i < 2; ++i) {
    if (entries[i].key == key && !is_free(entries[i])) return &entries[i];
  }
  return nullptr;
}

void TranspositionTable::store(Entry entry) {
  if (buckets_ == 0) return;
  entry.age = age_;
  Entry* entries = bucket(entry.key);
  Entry *deep = &entries[0], *late = &entries[1];
  for (Entry* old : {deep, late}) {
    if (old->key != entry.key) continue;
    entry.backup.low = std::max(entry.backup.low, old->backup.low);
    entry.backup.high = std::min(entry.backup.high, old->backup.high);
    if (entry.move == gdl::kNoMove) entry.move = old->move;
    // A value of this iteration is worth more if it is deeper; an older one serves no longer.
    if (old->age == age_ && old->depth > entry.depth && old->bound != Bound::None) {
      entry.depth = old->depth;
      entry.bound = old->bound;
      entry.backup.value = old->backup.value;
    }
    *old = entry;
    return;
  }
  const bool keep = !is_free(*deep) && deep->age == age_ && deep->depth > entry.depth;
  if (!keep) std::swap(*deep, *late);
  (keep ? *late : *deep) = entry;
}

}  // namespace ludens::search
