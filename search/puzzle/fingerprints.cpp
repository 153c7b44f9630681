// SPDX-License-Identifier: MIT
#include "search/puzzle/fingerprints.h"

namespace ludens::search::puzzle {

namespace {

constexpr std::uint32_t kFirstCapacity = 8;
constexpr gdl::StateHash kFree{};

}  // namespace

/// The place of a key, or the free one where it belongs.
gdl::StateHash& Fingerprints::Table::slot(const gdl::StateHash& key) const {
  std::size_t i = key.low & (capacity - 1);
  while (keys[i] != kFree && keys[i] != key) i = (i + 1) & (capacity - 1);
  return keys[i];
}

Fingerprints::Insertion Fingerprints::insert(const gdl::StateHash& given) {
  const gdl::StateHash key = given == kFree ? gdl::StateHash{1, 0} : given;
  Table& table = tables_[key.high % kTables];
  if (table.used * 4 >= table.capacity * 3 && !grow(table)) {
    if (table.capacity == 0) return Insertion::OutOfMemory;
    return table.slot(key) == key ? Insertion::Seen : Insertion::OutOfMemory;
  }
  gdl::StateHash& slot = table.slot(key);
  if (slot == key) return Insertion::Seen;
  slot = key;
  ++table.used;
  ++size_;
  return Insertion::New;
}

bool Fingerprints::grow(Table& table) {
  const std::uint32_t capacity = table.capacity == 0 ? kFirstCapacity : table.capacity * 2;
  const std::size_t bytes = capacity * sizeof(gdl::StateHash);
  if (memory_ != nullptr && !memory_->reserve(bytes)) return false;
  Table larger;
  larger.keys.reset(static_cast<gdl::StateHash*>(std::calloc(capacity, sizeof(gdl::StateHash))));
  if (larger.keys == nullptr) {
    if (memory_ != nullptr) memory_->release(bytes);
    return false;
  }
  larger.capacity = capacity;
  larger.used = table.used;
  for (std::uint32_t i = 0; i < table.capacity; ++i) {
    if (table.keys[i] != kFree) larger.slot(table.keys[i]) = table.keys[i];
  }
  const std::size_t old = table.capacity * sizeof(gdl::StateHash);
  if (memory_ != nullptr) memory_->release(old);
  bytes_ += bytes - old;
  table = std::move(larger);
  return true;
}

void Fingerprints::clear() {
  for (Table& table : tables_) table = {};
  if (memory_ != nullptr) memory_->release(bytes_);
  size_ = bytes_ = 0;
}

}  // namespace ludens::search::puzzle
