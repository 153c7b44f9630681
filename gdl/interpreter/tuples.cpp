// SPDX-License-Identifier: MIT
#include "gdl/interpreter/tuples.h"

#include <algorithm>
#include <bit>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {

void Index::build(const std::uint32_t* rows, std::uint32_t stride, std::uint32_t count) {
  const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(count, 8));
  if (heads_.size() < wanted) {
    heads_.assign(wanted, 0);
    generation_ = 0;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(wanted));
  }
  if (++generation_ == 0) {
    std::ranges::fill(heads_, 0);
    generation_ = 1;
  }
  next_.resize(count);
  for (std::uint32_t i = count; i-- > 0;) {  // backwards: chains in the order of the rows
    const std::uint32_t* row = rows + std::size_t{i} * stride;
    std::uint64_t hash = 0;
    for (const std::uint32_t c : columns_) hash = mix(hash, row[c]);
    std::uint64_t& head = heads_[hash >> shift_];
    next_[i] = (head >> 32) == generation_ ? static_cast<std::uint32_t>(head) : kNone;
    head = std::uint64_t{generation_} << 32 | i;
  }
  built_ = true;
}

std::uint32_t Rows::require_index(const Columns& columns) {
  for (std::uint32_t i = 0; i < indices_.size(); ++i) {
    if (indices_[i].columns() == columns) return i;
  }
  indices_.emplace_back(columns, account_);
  return static_cast<std::uint32_t>(indices_.size() - 1);
}

void HashTable::grow() {
  CountedVector<Slot> old(std::max<std::size_t>(16, slots_.size() * 2), Slot{},
                          slots_.get_allocator());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.generation != generation_) continue;
    std::size_t i = slot.tag & mask;
    while (slots_[i].generation == generation_) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace ludens::gdl::interpreter
