// SPDX-License-Identifier: MIT
#include "search/mcts/position_table.h"

#include <algorithm>
#include <bit>

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kFirstLists = std::uint32_t{1} << 12;
constexpr std::size_t kMostLists = std::size_t{1} << 28;
constexpr std::size_t kGrantBytes = std::size_t{1} << 16;  // reserved from the budget at a time

}  // namespace

MemoryShares::MemoryShares(std::size_t limit, std::size_t table_share) {
  if (limit == 0) limit = Arena::kMostBytes;
  table = std::max(PositionTable::kLeastBytes, limit / table_share);
  arena = std::max(limit, table + 1) - table;
}

PositionTable::PositionTable(const Arena& arena, gdl::MemoryBudget* memory, std::size_t most_lists)
    : arena_(arena), memory_(memory) {
  // Only whole grants: they are given back, and pages beyond the range belong to others.
  constexpr std::size_t kGrantLists = kGrantBytes / sizeof(Head);
  static_assert(kRow * kStripes <= kFirstLists, "bits that no table divides determine the stripe");
  static_assert(kLeastBytes % kGrantBytes == 0 && kMostLists % kGrantLists == 0);
  const std::size_t most =
      std::clamp(most_lists / kGrantLists * kGrantLists, kLeastBytes / sizeof(Head), kMostLists);
  range_ = gdl::AddressRange(most * sizeof(Head));
  if (range_.empty()) return;
  gdl::AddressRange::prefer_large_pages(range_.begin(), most * sizeof(Head));
  heads_ = reinterpret_cast<Head*>(range_.begin());
  most_ = static_cast<std::uint32_t>(most);
}

PositionTable::~PositionTable() {
  clear();
}

bool PositionTable::open() {
  if (heads_ == nullptr) return false;
  if (memory_ != nullptr && !memory_->reserve(kLeastBytes)) return false;
  granted_ = kLeastBytes;
  count_ = kFirstLists;
  return true;
}

void PositionTable::clear() {
  if (granted_ == 0) return;
  gdl::AddressRange::forget(heads_, granted_);
  if (memory_ != nullptr) memory_->release(granted_);
  granted_ = 0;
  count_ = 0;
}

void PositionTable::set(Head& head, Ref first, std::uint32_t tag) {
  std::atomic_ref(head.first).store(first, std::memory_order_relaxed);
  std::atomic_ref(head.tag).store(tag, std::memory_order_relaxed);
}

/// The others follow it.
void PositionTable::set_first(Head& head, Ref first) {
  if (first == kNoRef) return set(head, kNoRef, 0);
  const std::uint32_t more = node(first).next != kNoRef ? kMore : 0;
  set(head, first, (node(first).hash & ~kMore) | more);
}

void PositionTable::enter(Ref id) {
  Listed& entered = node(id);
  Head& head = list(entered.hash);
  entered.next = head.first;
  set_first(head, id);
}

void PositionTable::leave(Ref id) {
  const Listed& left = node(id);
  Head& head = list(left.hash);
  if (head.first != id) {
    Listed* before = &node(head.first);
    while (before->next != id) before = &node(before->next);
    before->next = left.next;
  }
  set_first(head, head.first == id ? left.next : head.first);
}

void PositionTable::grow(std::size_t nodes) {
  const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(nodes, most_));
  if (wanted <= list_count()) return;
  const Hold held(growing_, several_);
  for (std::uint32_t count = list_count(); count < wanted && divide_row(count, wanted);) {
    count = list_count();
  }
}

/// Adds lists up to the end of a row, which are all in one stripe; false if there is no memory.
bool PositionTable::divide_row(std::uint32_t count, std::uint32_t wanted) {
  const std::uint32_t half = std::bit_floor(count);
  const std::uint32_t end = std::min(wanted, (count / kRow + 1) * kRow);
  const Hold held = hold(count - half);
  for (; count < end && make_room(count + 1); ++count) divide(count - half, half);
  return count == end;
}

bool PositionTable::make_room(std::uint32_t lists) {
  if (lists * sizeof(Head) <= granted_) return true;
  if (memory_ != nullptr && !memory_->reserve(kGrantBytes)) return false;
  granted_ += kGrantBytes;
  return true;
}

/// Nodes with the next bit of the hash go to the new list, which is the last. `from` must be held.
void PositionTable::divide(std::uint32_t from, std::uint32_t half) {
  const Ref ahead = std::atomic_ref(heads_[from + kAhead].first).load(std::memory_order_relaxed);
  __builtin_prefetch(arena_[ahead]);
  Head& stay = heads_[from];
  Head& go = heads_[from + half];
  if (stay.has_more()) {
    divide_several(stay, go, half);
  } else if (stay.first != kNoRef && (stay.tag & half) != 0) {
    set(go, stay.first, stay.tag);
    set(stay, kNoRef, 0);
  } else {
    set(go, kNoRef, 0);
  }
  count_.store(from + half + 1, std::memory_order_relaxed);
}

void PositionTable::divide_several(Head& stay, Head& go, std::uint32_t half) {
  Ref staying = kNoRef, going = kNoRef;
  for (Ref id = stay.first; id != kNoRef;) {
    Listed& moved = node(id);
    Ref& first = (moved.hash & half) != 0 ? going : staying;
    const Ref next = moved.next;
    moved.next = first;
    first = id;
    id = next;
  }
  set_first(stay, staying);
  set_first(go, going);
}

}  // namespace ludens::search::mcts
