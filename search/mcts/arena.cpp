// SPDX-License-Identifier: MIT
#include "search/mcts/arena.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kHuge = std::size_t{1} << 26;  // from this size on, large pages help
constexpr std::uint32_t kLeastPages = 2;             // of the range
constexpr std::uint32_t kSmall = 8, kMedium = 32;    // units: kinds of blocks
constexpr std::uint32_t kMostTries = 64;             // pages that are searched at a time
constexpr std::uint32_t kKeptUnits = 1U << 14;       // at most in a pool
constexpr std::uint32_t kKeptShare = 64;             // of the arena: one in this many
/// One freed unit allows looking at this many pages.
constexpr std::uint64_t kPagesPerUnit = 8;

unsigned this_processor() {
#if defined(__EMSCRIPTEN__)
  return 0;
#else
  return static_cast<unsigned>(sched_getcpu());
#endif
}

}  // namespace

Arena::Arena(gdl::MemoryBudget* memory, std::size_t limit_bytes) : memory_(memory) {
  // The end of the last page has a number, too.
  const std::size_t wanted = std::min(limit_bytes / kPageCost, kMostBytes / kPageBytes - 2);
  // Addresses cost nothing until they are used, unless the process may only have few.
  for (std::size_t pages = wanted; pages >= kLeastPages; pages /= 2) {
    range_ = gdl::AddressRange(mapped_bytes(pages));
    if (range_.empty()) continue;
    page_limit_ = static_cast<std::uint32_t>(pages);
    begin_ = range_.begin();
    bits_ = reinterpret_cast<Word*>(begin_ + (pages + 1) * kPageBytes);
    open_ = bits_ + (pages + 1) * kPageWords;
    pages_ = reinterpret_cast<Page*>(open_ + pages / kWordUnits + 1);
    if (pages * kPageBytes >= kHuge) {
      gdl::AddressRange::prefer_large_pages(begin_, pages * kPageBytes);
    }
    break;
  }
  kept_limit_ = std::min(kKeptUnits, page_limit_ * kPageUnits / kKeptShare);
}

Arena::~Arena() {
  if (memory_ != nullptr) memory_->release((pages_end_ - 1) * kPageCost);
}

/// The range, whose first page is not used, so that no block has the number 0; the bitmaps; the
/// pages.
std::size_t Arena::mapped_bytes(std::size_t pages) {
  return (pages + 1) * (kPageBytes + kPageWords * sizeof(Word) + sizeof(Page)) +
         (pages / kWordUnits + 1) * sizeof(Word);
}

std::size_t Arena::kind_of(std::uint32_t units) {
  return units <= kSmall ? 0 : units <= kMedium ? 1 : kKinds - 1;
}

Arena::Pool& Arena::own_pool() {
  return several_ ? pools_[this_processor() % kPools] : pools_.front();
}

Ref Arena::allocate(std::size_t bytes, std::size_t counted) {
  const std::uint32_t count = units(bytes);
  Pool& pool = own_pool();
  const Hold held(pool.lock, several_);
  Ref ref = take_kept(pool, count);
  if (ref == kNoRef) ref = count > kMostInPage ? take_pages(count) : take_from_runs(pool, count);
  if (ref == kNoRef) return kNoRef;
  add(pool.used, count);
  add(pool.made, counted);
  return ref;
}

void Arena::free(Ref ref, std::size_t bytes, std::size_t counted) {
  const std::uint32_t count = units(bytes);
  Pool& pool = own_pool();
  const Hold held(pool.lock, several_);
  if (!keep(pool, ref, count)) release(ref, count);
  add(pool.used, -std::size_t{count});
  add(pool.gone, counted);
}

// ---- Blocks that are kept for others of their size

Ref Arena::take_kept(Pool& pool, std::uint32_t units) {
  if (units >= kMostKept || pool.kept[units] == kNoRef) return kNoRef;
  const Ref ref = pool.kept[units];
  std::memcpy(&pool.kept[units], (*this)[ref], sizeof(Ref));
  pool.kept_units -= units;
  return ref;
}

bool Arena::keep(Pool& pool, Ref ref, std::uint32_t units) {
  if (units >= kMostKept || pool.kept_units + units > kept_limit_) return false;
  std::memcpy((*this)[ref], &pool.kept[units], sizeof(Ref));
  pool.kept[units] = ref;
  pool.kept_units += units;
  return true;
}

bool Arena::drop_kept(Pool& pool) {
  if (pool.kept_units == 0) return false;
  for (std::uint32_t units = 1; units < kMostKept; ++units) {
    for (Ref ref = take_kept(pool, units); ref != kNoRef; ref = take_kept(pool, units)) {
      release(ref, units);
    }
  }
  return true;
}

void Arena::drain() {
  for (Pool& pool : pools_) {
    drop_kept(pool);
    for (Run& run : pool.runs) leave(run);
  }
}

// ---- Blocks within a page

Ref Arena::take_from_runs(Pool& pool, std::uint32_t units) {
  Run* run = &pool.runs[kind_of(units)];
  if (run->end - run->next < units && !find_run(*run, units) &&
      !(drop_kept(pool) && find_run(*run, units))) {
    // Better among blocks of another kind than nowhere.
    run = std::ranges::find_if(pool.runs,
                               [&](const Run& other) { return other.end - other.next >= units; });
    if (run == pool.runs.end()) return kNoRef;
  }
  const Ref ref = run->next;
  run->next += units;
  return ref;
}

bool Arena::find_run(Run& run, std::uint32_t units) {
  if (run.page != kNoPage && next_run(run, units)) return true;
  const Hold held(range_lock_, several_);
  leave(run);
  return run_in_open_page(run, units) || run_in_new_page(run, units) || run_in_any_page(run, units);
}

/// The next of its page that is long enough. All of it is marked as used at once: marking each
/// block would take one or two locked instructions.
bool Arena::next_run(Run& run, std::uint32_t units) {
  give_up_rest(run);
  const std::uint32_t page_end = (run.page + 1) * kPageUnits;
  while (run.end < page_end) {
    run.next = first_of(false, run.end, page_end);
    run.end = first_of(true, run.next, page_end);
    if (run.end - run.next < units) continue;
    set_bits(run.next, run.end - run.next);
    return true;
  }
  run.next = run.end;
  return false;
}

void Arena::give_up_rest(Run& run) {
  clear_bits(run.next, run.end - run.next);
  run.next = run.end;
}

/// The first unit that is used, or that is free.
std::uint32_t Arena::first_of(bool used, std::uint32_t from, std::uint32_t end) const {
  std::uint64_t mask = ~std::uint64_t{0} << from % kWordUnits;
  for (std::uint32_t at = from - from % kWordUnits; at < end; at += kWordUnits) {
    const std::uint64_t bits = bits_[at / kWordUnits].load(std::memory_order_acquire);
    const std::uint64_t found = (used ? bits : ~bits) & mask;
    if (found != 0) return at + static_cast<std::uint32_t>(std::countr_zero(found));
    mask = ~std::uint64_t{0};
  }
  return end;
}

bool Arena::run_in_open_page(Run& run, std::uint32_t units) {
  for (std::uint32_t tries = 0; tries < kMostTries && load(open_count_) > 0; ++tries) {
    const std::uint32_t page = next_open_page();
    if (page == kNoPage) return false;
    next_page_ = page + 1;
    if (enter(run, page, units)) return true;
  }
  return false;
}

/// In the order of addresses, cyclically.
std::uint32_t Arena::next_open_page() const {
  const std::uint32_t words = (pages_end_ - 1) / kWordUnits + 1;
  std::uint64_t mask = ~std::uint64_t{0} << next_page_ % kWordUnits;
  std::uint32_t word = next_page_ / kWordUnits;
  for (std::uint32_t i = 0; i <= words; ++i, ++word) {
    if (word >= words) word = 0;
    const std::uint64_t found = load(open_[word]) & mask;
    if (found != 0) return word * kWordUnits + static_cast<std::uint32_t>(std::countr_zero(found));
    mask = ~std::uint64_t{0};
  }
  return kNoPage;
}

bool Arena::run_in_new_page(Run& run, std::uint32_t units) {
  const std::uint32_t page = pages_end_;
  return touch(1) && enter(run, page, units);
}

/// Accepts any page, however little is free there. A search of all pages must be worth it.
bool Arena::run_in_any_page(Run& run, std::uint32_t units) {
  if (!is_worth(failed_any_)) return false;
  std::uint32_t tries = 0;
  for (std::uint32_t i = 0; i < pages_end_ && tries < kMostTries; ++i) {
    next_any_ = next_any_ + 1 < pages_end_ ? next_any_ + 1 : 1;
    if (next_any_ >= pages_end_ || load(pages_[next_any_].free) < units) continue;
    ++tries;
    if (enter(run, next_any_, units)) return true;
  }
  if (tries < kMostTries) failed_any_ = load(freed_);
  return false;
}

bool Arena::is_worth(std::uint64_t failed) const {
  return (load(freed_) - failed) * kPagesPerUnit >= pages_end_;
}

/// Takes a page if it has such a run. Another thread may have taken it after it was offered.
bool Arena::enter(Run& run, std::uint32_t page, std::uint32_t units) {
  withdraw(page);
  if (pages_[page].taken) return false;
  pages_[page].taken = true;
  run = {page * kPageUnits, page * kPageUnits, page};
  if (next_run(run, units)) return true;
  leave(run);
  return false;
}

void Arena::leave(Run& run) {
  if (run.page == kNoPage) return;
  give_up_rest(run);
  Page& page = pages_[run.page];
  page.taken = false;
  if (page.free >= kOpenUnits) offer(run.page);
  run = {};
}

void Arena::offer(std::uint32_t page) {
  const std::uint64_t bit = std::uint64_t{1} << page % kWordUnits;
  if ((open_[page / kWordUnits].fetch_or(bit) & bit) == 0) ++open_count_;
}

void Arena::withdraw(std::uint32_t page) {
  const std::uint64_t bit = std::uint64_t{1} << page % kWordUnits;
  if ((open_[page / kWordUnits].fetch_and(~bit) & bit) != 0) --open_count_;
}

// ---- Blocks of pages

Ref Arena::take_pages(std::uint32_t units) {
  const Hold held(range_lock_, several_);
  const std::uint32_t count = (units + kPageUnits - 1) / kPageUnits;
  std::uint32_t first = find_empty_pages(count);
  if (first == kNoPage) {
    first = pages_end_;
    if (!touch(count)) return kNoRef;
  }
  for (std::uint32_t page = first; page < first + count; ++page) withdraw(page);
  set_bits(first * kPageUnits, units);
  const std::uint32_t last = first + count - 1;
  if (pages_[last].free >= kOpenUnits) offer(last);
  return first * kPageUnits;
}

/// The first of this many in a row.
std::uint32_t Arena::find_empty_pages(std::uint32_t count) {
  if (!is_worth(failed_pages_)) return kNoPage;
  std::uint32_t row = 0;
  for (std::uint32_t page = 1; page < pages_end_; ++page) {
    // What other threads did in blocks that they have freed there must come before.
    const bool empty = pages_[page].free.load(std::memory_order_acquire) == kPageUnits &&
                       !load(pages_[page].taken);
    row = empty ? row + 1 : 0;
    if (row == count) return page + 1 - count;
  }
  failed_pages_ = load(freed_);
  return kNoPage;
}

bool Arena::touch(std::uint32_t pages) {
  const std::uint32_t end = load(pages_end_);
  if (end - 1 + pages > page_limit_) return false;
  if (memory_ != nullptr && !memory_->reserve(pages * kPageCost)) return false;
  for (std::uint32_t page = end; page < end + pages; ++page) {
    pages_[page].free = kPageUnits;
    offer(page);
  }
  pages_end_ = end + pages;
  return true;
}

// ---- The bitmap

template <typename Change>
void Arena::for_each_word(std::uint32_t first, std::uint32_t units, Change&& change) {
  while (units > 0) {
    const std::uint32_t bit = first % kWordUnits;
    const std::uint32_t count = std::min(units, kWordUnits - bit);
    const std::uint64_t ones = ~std::uint64_t{0} >> (kWordUnits - count) % kWordUnits;
    change(first / kWordUnits, count, ones << bit);
    first += count;
    units -= count;
  }
}

/// No other thread sets bits of a taken page, but others may clear some.
void Arena::set_bits(std::uint32_t first, std::uint32_t units) {
  for_each_word(first, units, [this](std::uint32_t at, std::uint32_t count, std::uint64_t mask) {
    Page& page = pages_[at / kPageWords];
    if (several_) {
      bits_[at].fetch_or(mask, std::memory_order_relaxed);
      page.free.fetch_sub(static_cast<std::uint16_t>(count), std::memory_order_relaxed);
    } else {
      bits_[at].store(load(bits_[at]) | mask, std::memory_order_relaxed);
      page.free.store(static_cast<std::uint16_t>(load(page.free) - count),
                      std::memory_order_relaxed);
    }
  });
}

void Arena::clear_bits(std::uint32_t first, std::uint32_t units) {
  for_each_word(first, units, [this](std::uint32_t at, std::uint32_t count, std::uint64_t mask) {
    if (several_) {
      bits_[at].fetch_and(~mask, std::memory_order_release);
    } else {
      bits_[at].store(load(bits_[at]) & ~mask, std::memory_order_relaxed);
    }
    count_free(at / kPageWords, count);
  });
}

/// The units of a block become part of runs.
void Arena::release(Ref ref, std::uint32_t units) {
  clear_bits(ref, units);
  if (several_) {
    freed_ += units;
  } else {
    freed_.store(load(freed_) + units, std::memory_order_relaxed);
  }
}

/// A page is open if no pool has taken it and enough of it is free. `leave` first gives the page
/// up and then reads its free units; this first counts the units and then reads whether the page
/// is taken. So one of the two sees what the other did, and offers the page.
void Arena::count_free(std::uint32_t number, std::uint32_t more) {
  Page& page = pages_[number];
  std::uint32_t before = 0;
  if (several_) {
    before = page.free.fetch_add(static_cast<std::uint16_t>(more));
  } else {
    before = load(page.free);
    page.free.store(static_cast<std::uint16_t>(before + more), std::memory_order_relaxed);
  }
  if (before < kOpenUnits && before + more >= kOpenUnits && !page.taken) offer(number);
}

// ---- Figures

void Arena::clear() {
  const std::size_t touched = pages_end_ - 1;
  if (touched > 0) {
    gdl::AddressRange::forget(begin_ + kPageBytes, touched * kPageBytes);
    gdl::AddressRange::forget(bits_, (touched + 1) * kPageWords * sizeof(Word));
    std::memset(static_cast<void*>(open_), 0, (touched / kWordUnits + 1) * sizeof(Word));
    std::memset(static_cast<void*>(pages_), 0, (touched + 1) * sizeof(Page));
  }
  if (memory_ != nullptr) memory_->release(touched * kPageCost);
  pages_end_ = 1;
  next_page_ = next_any_ = 0;
  open_count_ = 0;
  for (Pool& pool : pools_) {
    pool.used = 0;
    pool.gone = load(pool.made);
    pool.kept_units = 0;
    pool.kept.fill(kNoRef);
    pool.runs.fill({});
  }
}

std::size_t Arena::used() const {
  std::size_t sum = 0;
  for (const Pool& pool : pools_) sum += load(pool.used);
  return sum * kUnit;
}

std::size_t Arena::count() const {
  std::size_t sum = 0;
  for (const Pool& pool : pools_) sum += load(pool.made) - load(pool.gone);
  return sum;
}

std::size_t Arena::made() const {
  std::size_t sum = 0;
  for (const Pool& pool : pools_) sum += load(pool.made);
  return sum;
}

/// The number of pages that can still be taken.
std::size_t Arena::untouched() const {
  std::size_t pages = page_limit_ - (load(pages_end_) - 1);
  if (memory_ != nullptr) {
    const std::size_t used = memory_->used();
    const std::size_t left = memory_->limit() - std::min(used, memory_->limit());
    pages = std::min(pages, left / kPageCost);
  }
  return pages;
}

bool Arena::is_short() const {
  const std::size_t more = untouched() * kPageBytes;
  if (more == 0 && load(open_count_) == 0) return true;
  const std::size_t left = touched() - std::min(used(), touched()) + more;
  return left < (touched() + more) / kShortShare;
}

}  // namespace ludens::search::mcts
