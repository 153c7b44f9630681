// The memory of the tree of `mcts`: blocks that are named by 32 bits.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "gdl/machine/limits.h"
#include "search/mcts/spin_lock.h"

namespace ludens::search::mcts {

/// Number of a block: its distance from the beginning in units of 8 bytes.
using Ref = std::uint32_t;
inline constexpr Ref kNoRef = 0;

/// One range of addresses, of which more and more is used; freed blocks are used again for others
/// of their size. Half the size of pointers and none of an allocator's headers: selection goes
/// through memory as fast as memory comes, and the tree is as large as memory allows.
///
/// What is touched for the first time is reserved from the budget before, and given back by
/// `clear` alone.
///
/// Threads. After `serve_threads(true)`, several may allocate and free at a time. Each does so from
/// the pool of the processor it is on, which has free blocks and a piece of the range of its own,
/// so that they seldom meet. All else needs the arena for itself.
class Arena {
 public:
  /// `memory` may be null. `limit_bytes` 0: as much as 32 bits can name.
  Arena(gdl::MemoryBudget* memory, std::size_t limit_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void serve_threads(bool several) { several_ = several; }
  [[nodiscard]] std::byte* operator[](Ref ref) const { return begin_ + std::size_t{ref} * kUnit; }
  /// kNoRef if there is no memory. The block begins at a multiple of 8; its bytes are anything.
  /// `counted`: what `count` is increased by.
  [[nodiscard]] Ref allocate(std::size_t bytes, std::size_t counted = 0);
  /// `bytes` and `counted` as they were allocated.
  void free(Ref ref, std::size_t bytes, std::size_t counted = 0);
  /// Frees all blocks, and gives the memory back to the system and the budget.
  void clear();

  [[nodiscard]] std::size_t used() const;   // in blocks
  [[nodiscard]] std::size_t count() const;  // of blocks that are counted; may be out of date
  [[nodiscard]] std::size_t limit() const { return limit_; }

 private:
  static constexpr std::size_t kUnit = 8;
  static constexpr std::size_t kSmall = 256;  // units; smaller blocks have lists of their own
  static constexpr std::size_t kPools = 8;

  /// Figures are sums over the pools: a block may be freed into another than it came from.
  struct alignas(64) Pool {
    SpinLock lock;
    std::atomic<std::size_t> counted{0};
    std::size_t used = 0;
    std::size_t next = 0, end = 0;    // bytes; the piece of the range that is left
    std::array<Ref, kSmall> small{};  // [units]: free blocks, linked by their first bytes
    std::map<std::size_t, Ref> large;
  };

  [[nodiscard]] static std::size_t units(std::size_t bytes);
  [[nodiscard]] Pool& own_pool();
  [[nodiscard]] static Ref& free_list(Pool& pool, std::size_t units);
  static void count_in(Pool& pool, std::size_t more);
  void put(Pool& pool, Ref ref, std::size_t units);
  [[nodiscard]] bool refill(Pool& pool, std::size_t bytes);
  [[nodiscard]] bool touch(std::size_t bytes);

  gdl::MemoryBudget* memory_;
  std::byte* begin_ = nullptr;
  std::size_t limit_ = 0;  // of the range
  bool several_ = false;   // threads
  // What changes stands apart from what other threads read all the time.
  alignas(64) SpinLock range_lock_;  // of what follows
  std::size_t touched_ = kUnit, granted_ = 0;
  std::array<Pool, kPools> pools_;
};

}  // namespace ludens::search::mcts
