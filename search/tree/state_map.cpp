// SPDX-License-Identifier: MIT
#include "search/tree/state_map.h"

namespace ludens::search {

namespace {

constexpr std::size_t kFirstCapacity = 1024;

}  // namespace

StateMap::~StateMap() {
  if (memory_ == nullptr) return;
  for (const Table& table : tables_) memory_->release(table.capacity * sizeof(Entry));
}

/// The entry of a key, or the free one where it belongs.
StateMap::Entry& StateMap::Table::slot(const gdl::StateHash& key) const {
  std::size_t i = key.low & (capacity - 1);
  while (entries[i].used != 0 && entries[i].key != key) i = (i + 1) & (capacity - 1);
  return entries[i];
}

std::uint32_t* StateMap::find(const gdl::StateHash& key) const {
  for (std::size_t i = tables_.size(); i-- > 0;) {
    Entry& entry = tables_[i].slot(key);
    if (entry.used != 0) return &entry.number;
  }
  return nullptr;
}

bool StateMap::insert(const gdl::StateHash& key, std::uint32_t number) {
  const bool full = tables_.empty() || tables_.back().used * 4 >= tables_.back().capacity * 3;
  if (full && !add_table()) return false;
  tables_.back().slot(key) = {key, number, 1};
  ++tables_.back().used;
  ++size_;
  return true;
}

bool StateMap::add_table() {
  const std::size_t capacity = tables_.empty() ? kFirstCapacity : tables_.back().capacity * 2;
  const std::size_t bytes = capacity * sizeof(Entry);
  if (memory_ != nullptr && !memory_->reserve(bytes)) return false;
  Table table;
  table.entries.reset(static_cast<Entry*>(std::calloc(capacity, sizeof(Entry))));
  if (table.entries == nullptr) {
    if (memory_ != nullptr) memory_->release(bytes);
    return false;
  }
  table.capacity = capacity;
  tables_.push_back(std::move(table));
  return true;
}

}  // namespace ludens::search
