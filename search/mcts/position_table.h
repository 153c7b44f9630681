// SPDX-License-Identifier: MIT
// The table by which a search finds the node of a position: lists of nodes, by the hash of their
// states.
#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "gdl/memory/address_range.h"
#include "search/mcts/arena.h"
#include "search/mcts/listed.h"
#include "search/mcts/prefetch.h"

namespace ludens::search::mcts {

/// How a limit in bytes (0: none) is divided between nodes and a table with about one list for
/// each.
struct MemoryShares {
  /// The table gets one of `table_share` bytes.
  MemoryShares(std::size_t limit, std::size_t table_share);
  std::size_t table, arena;
};

/// Linear hashing (Litwin 1980): as nodes are added, one list after another is split in two, so
/// that lists stay short, nothing ever waits for the table, and a small search has a small one. The
/// lists are linked through `Listed::next`, with which every node begins. Most lists have one node.
/// The hash of that node is stored at the head, so that the node need not be fetched from memory.
///
/// A thread that has `hold` of a hash may use its list, enter and leave; without threads this is
/// not necessary. All other calls need exclusive use of the table, except `fetch_place` and
/// `fetch_first`.
class PositionTable {
 public:
  /// A table of at most this many lists. `memory` may be null.
  PositionTable(const Arena& arena, gdl::MemoryBudget* memory, std::size_t most_lists);
  ~PositionTable();
  PositionTable(const PositionTable&) = delete;
  PositionTable& operator=(const PositionTable&) = delete;

  void serve_threads(bool several) { several_ = several; }
  [[nodiscard]] Hold hold(std::uint32_t hash) const { return {stripe(hash).lock, several_}; }

  /// Allocates the first lists; false if there is no memory.
  [[nodiscard]] bool open();
  /// Forgets all nodes and gives the memory back.
  void clear();
  [[nodiscard]] std::size_t bytes() const { return granted_; }  // reserved
  static constexpr std::size_t kListBytes = 8;
  static constexpr std::size_t kLeastBytes = std::size_t{1} << 16;  // reserved by `open`

  /// The first node of the list that has the nodes of a hash; kNoRef if there are none.
  [[nodiscard]] Ref first(std::uint32_t hash) const {
    const Head& head = list(hash);
    return head.may_have(hash) ? head.first : kNoRef;
  }
  void enter(Ref id);
  void leave(Ref id);
  /// Makes as many lists as there are `nodes`, if there is memory. Must not be called while a hash
  /// is held. Adds only a few lists at a time, because all threads must see the new number.
  void grow(std::size_t nodes);

  void fetch_place(std::uint32_t hash) const {
    __builtin_prefetch(&list(hash));
    if (several_) fetch_to_change(&stripe(hash));
  }
  /// To be called when the place has arrived from memory.
  void fetch_first(std::uint32_t hash) const {
    Head& head = list(hash);
    const Head seen{std::atomic_ref(head.first).load(std::memory_order_relaxed),
                    std::atomic_ref(head.tag).load(std::memory_order_relaxed)};
    if (seen.may_have(hash)) __builtin_prefetch(arena_[seen.first]);
  }

  [[nodiscard]] std::uint32_t list_count() const { return count_.load(std::memory_order_relaxed); }
  /// Calls visit(Ref) for the nodes of a list.
  template <typename Visitor>
  void for_each(std::uint32_t list, Visitor&& visit) const {
    for (Ref id = heads_[list].first; id != kNoRef; id = node(id).next) visit(id);
  }
  /// Removes the nodes for which `is_dead` is true from a list, and passes each to `bury`. Returns
  /// their number.
  template <typename IsDead, typename Bury>
  std::size_t sweep(std::uint32_t list, IsDead&& is_dead, Bury&& bury);

 private:
  static constexpr std::uint32_t kAhead = 8;     // lists whose first node is fetched meanwhile
  static constexpr std::uint32_t kStripes = 64;  // of lists, each with a lock; a power of two
  static constexpr std::uint32_t kRow = 32;      // lists side by side in a stripe; a power of two
  struct alignas(64) Stripe {
    SpinLock lock;
  };
  /// The lowest bit of a hash is not needed within a list.
  static constexpr std::uint32_t kMore = 1;
  struct Head {
    Ref first;
    std::uint32_t tag;  // the hash of the first node, with `kMore` if it is not the only one
    [[nodiscard]] bool has_more() const { return (tag & kMore) != 0; }
    [[nodiscard]] bool may_have(std::uint32_t hash) const {
      return first != kNoRef && (has_more() || ((tag ^ hash) | kMore) == kMore);
    }
  };
  static_assert(sizeof(Head) == kListBytes);

  [[nodiscard]] Listed& node(Ref id) const { return *reinterpret_cast<Listed*>(arena_[id]); }
  [[nodiscard]] Stripe& stripe(std::uint32_t hash) const {
    return stripes_[hash / kRow % kStripes];
  }
  /// With 2^k lists or more, but fewer than twice as many, k or k + 1 bits of a hash determine its
  /// list. All lists that a hash can ever have are in the same stripe.
  [[nodiscard]] Head& list(std::uint32_t hash) const {
    const std::uint32_t count = list_count();
    const std::uint32_t half = std::bit_floor(count);
    const std::uint32_t place = hash & (2 * half - 1);
    return heads_[place < count ? place : place - half];
  }
  static void set(Head& head, Ref first, std::uint32_t tag);
  void set_first(Head& head, Ref first);
  [[nodiscard]] bool make_room(std::uint32_t lists);
  bool divide_row(std::uint32_t count, std::uint32_t wanted);
  void divide(std::uint32_t from, std::uint32_t half);
  void divide_several(Head& stay, Head& go, std::uint32_t half);

  const Arena& arena_;
  gdl::MemoryBudget* memory_;
  gdl::AddressRange range_;
  Head* heads_ = nullptr;  // in the range
  std::uint32_t most_ = 0;
  bool several_ = false;  // threads
  std::size_t granted_ = 0;
  std::atomic<std::uint32_t> count_{0};
  // Kept apart from the above, so that changing them does not slow down reading it.
  alignas(64) SpinLock growing_;
  mutable std::array<Stripe, kStripes> stripes_;
};

template <typename IsDead, typename Bury>
std::size_t PositionTable::sweep(std::uint32_t list, IsDead&& is_dead, Bury&& bury) {
  if (list + kAhead < list_count()) fetch_to_change(arena_[heads_[list + kAhead].first]);
  Head& head = heads_[list];
  Ref kept = kNoRef;  // those that stay, in reverse order
  std::size_t buried = 0;
  for (Ref id = head.first; id != kNoRef;) {
    Listed& swept = node(id);
    const Ref next = swept.next;
    if (is_dead(id)) {
      bury(id);
      ++buried;
    } else {
      swept.next = kept;
      kept = id;
    }
    id = next;
  }
  set_first(head, kept);
  return buried;
}

}  // namespace ludens::search::mcts
