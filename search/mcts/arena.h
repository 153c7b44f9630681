// SPDX-License-Identifier: MIT
// The memory of the tree of `mcts`: blocks that 32 bits identify.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gdl/memory/address_range.h"
#include "gdl/memory/limits.h"
#include "search/mcts/spin_lock.h"

namespace ludens::search::mcts {

/// Number of a block: its distance from the beginning in units of 8 bytes.
using Ref = std::uint32_t;
inline constexpr Ref kNoRef = 0;

/// One range of addresses, of which more and more is used, in pages of 16 KiB. References take half
/// the size of pointers, and blocks have no allocator headers: selection is as fast as memory
/// access, and the tree is as large as memory allows.
///
/// A bitmap beside the range has one bit for each unit, set where a block is. So free neighbours
/// form one run without an explicit merge, and a part of a block may be freed separately. Blocks up
/// to half a page are within a page: an allocation takes the next part of a run of free units, then
/// the next run of the page that is long enough, then a run of another page of which a quarter is
/// free, of one that was never used, or, if there are none, of any page. Small and large blocks
/// fill different pages, so that freed large blocks leave room for large ones. A larger block has
/// contiguous pages of its own.
///
/// Freed blocks of common sizes are kept for the next of their size, up to a bound, and are not
/// joined with others before `drain`.
///
/// Memory is reserved from the budget before it is touched for the first time, with its share of
/// the bitmap, and only `clear` gives it back.
///
/// Threads. After `serve_threads(true)`, several may allocate and free at a time. Each uses the
/// pool of the processor that it runs on, which has pages and kept blocks of its own, so that
/// threads rarely contend. All other calls need exclusive use of the arena, except for figures that
/// may be out of date.
class Arena {
 public:
  /// `memory` may be null. The limit covers the blocks with their share of the bitmap.
  Arena(gdl::MemoryBudget* memory, std::size_t limit_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void serve_threads(bool several) { several_ = several; }
  [[nodiscard]] std::byte* operator[](Ref ref) const { return begin_ + std::size_t{ref} * kUnit; }
  /// kNoRef if there is no memory. The block begins at a multiple of 8; its bytes are
  /// uninitialised. `counted`: the amount by which `count` increases.
  [[nodiscard]] Ref allocate(std::size_t bytes, std::size_t counted = 0);
  /// Pass `bytes` and `counted` as they were allocated; or some whole units of a block.
  void free(Ref ref, std::size_t bytes, std::size_t counted = 0);
  /// Frees all blocks, and gives the memory back to the system and the budget.
  void clear();
  /// Blocks that were kept for others of their size may become part of any block.
  void drain();

  [[nodiscard]] std::size_t limit() const { return page_limit_ * kPageBytes; }
  // The following may be out of date while other threads allocate.
  [[nodiscard]] std::size_t used() const;   // in blocks
  [[nodiscard]] std::size_t count() const;  // of counted blocks
  [[nodiscard]] std::size_t made() const;   // the same, including those that were freed
  /// Bytes of the range that blocks have used, now or before.
  [[nodiscard]] std::size_t touched() const { return (load(pages_end_) - 1) * kPageBytes; }
  /// Whether less than an eighth is left, or only holes in pages that are nearly full.
  [[nodiscard]] bool is_short() const;

  /// The most that 32 bits can address, if there is that much address space.
  static constexpr std::size_t kMostBytes =
      std::min<std::uint64_t>(std::uint64_t{1} << 35, SIZE_MAX / 2);
  static constexpr std::size_t kPageBytes = std::size_t{1} << 14;
  static constexpr std::size_t kUnit = 8;
  /// The first page is not used: smaller numbers never identify a block.
  static constexpr Ref kFirstRef = kPageBytes / kUnit;
  [[nodiscard]] static std::uint32_t page_of(Ref ref) { return ref / kPageUnits; }
  /// One more than the number of the last page that was ever used; the first page is 1.
  [[nodiscard]] std::uint32_t pages_end() const { return load(pages_end_); }

 private:
  using Word = std::atomic<std::uint64_t>;
  struct Page {
    std::atomic<std::uint16_t> free;  // units
    std::atomic<bool> taken;          // a pool allocates in it
  };
  static constexpr std::uint32_t kWordUnits = 64;  // of a bitmap
  static constexpr std::uint32_t kPageUnits = kPageBytes / kUnit;
  static constexpr std::uint32_t kPageWords = kPageUnits / kWordUnits;
  /// The cost of a page to the budget, including everything else that grows with pages.
  static constexpr std::size_t kPageCost =
      kPageBytes + kPageWords * sizeof(Word) + sizeof(Page) + 1;
  static constexpr std::uint32_t kMostInPage = kPageUnits / 2;
  static constexpr std::uint32_t kOpenUnits = kPageUnits / 4;  // free: worth looking into
  static constexpr std::uint32_t kMostKept = 65;  // units, of blocks that are kept; and one more
  static constexpr std::size_t kShortShare = 8;
  static constexpr std::size_t kPools = 8;
  static constexpr std::size_t kKinds = 3;
  static constexpr std::uint32_t kNoPage = 0;

  /// Contiguous units in a page that is taken, which nothing else can use.
  struct Run {
    std::uint32_t next = 0, end = 0;
    std::uint32_t page = kNoPage;
  };
  /// Figures are sums over the pools: a block may be freed into another pool than it came from.
  struct alignas(64) Pool {
    SpinLock lock;
    std::atomic<std::size_t> used{0};           // units
    std::atomic<std::size_t> made{0}, gone{0};  // of counted blocks
    std::array<Run, kKinds> runs;
    std::size_t kept_units = 0;
    std::array<Ref, kMostKept> kept{};  // [units]: free blocks, linked by their first bytes
  };

  template <typename Number>
  [[nodiscard]] static Number load(const std::atomic<Number>& number) {
    return number.load(std::memory_order_relaxed);
  }
  /// Only the thread that holds the pool changes its figures, but others read them.
  static void add(std::atomic<std::size_t>& figure, std::size_t more) {
    figure.store(load(figure) + more, std::memory_order_relaxed);
  }
  [[nodiscard]] static std::uint32_t units(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + kUnit - 1) / kUnit);
  }
  [[nodiscard]] static std::size_t mapped_bytes(std::size_t pages);
  [[nodiscard]] static std::size_t kind_of(std::uint32_t units);
  [[nodiscard]] Pool& own_pool();

  [[nodiscard]] Ref take_kept(Pool& pool, std::uint32_t units);
  [[nodiscard]] bool keep(Pool& pool, Ref ref, std::uint32_t units);
  bool drop_kept(Pool& pool);

  [[nodiscard]] Ref take_from_runs(Pool& pool, std::uint32_t units);
  [[nodiscard]] bool find_run(Run& run, std::uint32_t units);
  [[nodiscard]] bool next_run(Run& run, std::uint32_t units);
  void give_up_rest(Run& run);
  [[nodiscard]] bool run_in_open_page(Run& run, std::uint32_t units);
  [[nodiscard]] bool run_in_new_page(Run& run, std::uint32_t units);
  [[nodiscard]] bool run_in_any_page(Run& run, std::uint32_t units);
  [[nodiscard]] bool is_worth(std::uint64_t failed) const;
  [[nodiscard]] bool enter(Run& run, std::uint32_t page, std::uint32_t units);
  void leave(Run& run);
  [[nodiscard]] std::uint32_t next_open_page() const;
  void offer(std::uint32_t page);
  void withdraw(std::uint32_t page);

  [[nodiscard]] Ref take_pages(std::uint32_t units);
  [[nodiscard]] std::uint32_t find_empty_pages(std::uint32_t count);
  [[nodiscard]] bool touch(std::uint32_t pages);
  [[nodiscard]] std::size_t untouched() const;

  /// Calls change(word of the bitmap, number of its units, mask) for units of one page or more.
  template <typename Change>
  static void for_each_word(std::uint32_t first, std::uint32_t units, Change&& change);
  void set_bits(std::uint32_t first, std::uint32_t units);
  void clear_bits(std::uint32_t first, std::uint32_t units);
  void release(Ref ref, std::uint32_t units);
  void count_free(std::uint32_t page, std::uint32_t more);
  [[nodiscard]] std::uint32_t first_of(bool used, std::uint32_t from, std::uint32_t end) const;

  gdl::MemoryBudget* memory_;
  gdl::AddressRange range_;
  std::byte* begin_ = nullptr;  // of the range
  Word* bits_ = nullptr;        // [unit / 64]: used, kept, or in the run of a pool
  Word* open_ = nullptr;        // [page / 64]: not taken, and with `kOpenUnits` or more
  Page* pages_ = nullptr;       // [page]
  std::uint32_t page_limit_ = 0;
  std::uint32_t kept_limit_ = 0;  // units in a pool
  bool several_ = false;          // threads
  // Changing members are kept apart from what other threads read all the time.
  alignas(64) SpinLock range_lock_;  // for which pages are taken, and the following
  std::atomic<std::uint32_t> pages_end_{1}, open_count_{0};
  std::uint32_t next_page_ = 0, next_any_ = 0;       // where the search for one continues
  std::uint64_t failed_any_ = 0, failed_pages_ = 0;  // `freed_` when none was found
  alignas(64) std::atomic<std::uint64_t> freed_{0};  // units that became part of runs, ever
  std::array<Pool, kPools> pools_;
};

}  // namespace ludens::search::mcts
