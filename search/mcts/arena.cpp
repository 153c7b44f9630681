#include "search/mcts/arena.h"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kMost = std::size_t{1} << 35;        // what 32 bits can name
constexpr std::size_t kLeast = std::size_t{1} << 16;       // of addresses
constexpr std::size_t kGrantBytes = std::size_t{1} << 16;  // asked of the budget at a time
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;  // of the range, for a pool of several
constexpr std::size_t kHuge = std::size_t{1} << 26;        // from here on, large pages pay

}  // namespace

Arena::Arena(gdl::MemoryBudget* memory, std::size_t limit_bytes) : memory_(memory) {
  limit_ = limit_bytes == 0 ? kMost : std::min(limit_bytes, kMost);
  // Addresses cost nothing until they are used, unless the process may have but few.
  for (; limit_ >= kLeast; limit_ /= 2) {
    void* const range = mmap(nullptr, limit_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    begin_ = static_cast<std::byte*>(range);
    if (limit_ >= kHuge) madvise(range, limit_, MADV_HUGEPAGE);
    return;
  }
  limit_ = 0;
}

Arena::~Arena() {
  if (begin_ != nullptr) munmap(begin_, limit_);
  if (memory_ != nullptr) memory_->release(granted_);
}

/// Blocks of many units are rounded to three leading bits, so that freed ones fit others.
std::size_t Arena::units(std::size_t bytes) {
  const std::size_t exact = (bytes + kUnit - 1) / kUnit;
  if (exact < kSmall) return exact;
  const std::size_t grain = std::bit_floor(exact) / 4;
  return (exact + grain - 1) / grain * grain;
}

Arena::Pool& Arena::own_pool() {
  return several_ ? pools_[static_cast<unsigned>(sched_getcpu()) % kPools] : pools_.front();
}

Ref& Arena::free_list(Pool& pool, std::size_t units) {
  return units < kSmall ? pool.small[units] : pool.large[units];
}

void Arena::put(Pool& pool, Ref ref, std::size_t units) {
  Ref& list = free_list(pool, units);
  std::memcpy((*this)[ref], &list, sizeof(Ref));
  list = ref;
}

/// Only who holds the pool changes it, but others read.
void Arena::count_in(Pool& pool, std::size_t more) {
  const std::size_t before = pool.counted.load(std::memory_order_relaxed);
  pool.counted.store(before + more, std::memory_order_relaxed);
}

Ref Arena::allocate(std::size_t bytes, std::size_t counted) {
  const std::size_t count = units(bytes);
  Pool& pool = own_pool();
  const Hold held(pool.lock, several_);
  Ref& list = free_list(pool, count);
  Ref ref = list;
  if (ref != kNoRef) {
    std::memcpy(&list, (*this)[ref], sizeof(Ref));
  } else {
    if (pool.next + count * kUnit > pool.end && !refill(pool, count * kUnit)) return kNoRef;
    ref = static_cast<Ref>(pool.next / kUnit);
    pool.next += count * kUnit;
  }
  pool.used += count * kUnit;
  count_in(pool, counted);
  return ref;
}

/// A new piece of the range, of so many bytes at least; what was left of the last one is a block.
bool Arena::refill(Pool& pool, std::size_t bytes) {
  const Hold held(range_lock_, several_);
  std::size_t size = several_ ? std::max(bytes, kPieceBytes) : bytes;
  std::size_t begin = touched_;
  if (!touch(size)) {
    size = bytes;
    if (!touch(size)) return false;
  }
  if (pool.end == begin) {
    begin = pool.next;  // the old piece goes on
  } else if (pool.next < pool.end) {
    put(pool, static_cast<Ref>(pool.next / kUnit), (pool.end - pool.next) / kUnit);
  }
  pool.next = begin;
  pool.end = touched_;
  return true;
}

bool Arena::touch(std::size_t bytes) {
  if (touched_ + bytes > limit_) return false;
  if (memory_ != nullptr && touched_ + bytes > granted_) {
    const std::size_t missing = touched_ + bytes - granted_;
    const std::size_t rounded = (missing + kGrantBytes - 1) / kGrantBytes * kGrantBytes;
    const std::size_t grant = memory_->reserve(rounded)   ? rounded
                              : memory_->reserve(missing) ? missing
                                                          : 0;
    if (grant == 0) return false;
    granted_ += grant;
  }
  touched_ += bytes;
  return true;
}

void Arena::free(Ref ref, std::size_t bytes, std::size_t counted) {
  const std::size_t count = units(bytes);
  Pool& pool = own_pool();
  const Hold held(pool.lock, several_);
  put(pool, ref, count);
  pool.used -= count * kUnit;
  count_in(pool, -counted);
}

void Arena::clear() {
  if (begin_ != nullptr) madvise(begin_, touched_, MADV_DONTNEED);
  if (memory_ != nullptr) memory_->release(granted_);
  granted_ = 0;
  touched_ = kUnit;
  for (Pool& pool : pools_) {
    pool.counted = 0;
    pool.used = pool.next = pool.end = 0;
    pool.small.fill(kNoRef);
    pool.large.clear();
  }
}

std::size_t Arena::used() const {
  std::size_t sum = 0;
  for (const Pool& pool : pools_) sum += pool.used;
  return sum;
}

std::size_t Arena::count() const {
  std::size_t sum = 0;
  for (const Pool& pool : pools_) sum += pool.counted.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace ludens::search::mcts
