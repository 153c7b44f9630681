#include "search/mcts/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kMost = std::size_t{1} << 35;        // what 32 bits can name
constexpr std::size_t kLeast = std::size_t{1} << 16;       // of addresses
constexpr std::size_t kGrantBytes = std::size_t{1} << 16;  // asked of the budget at a time
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

Ref& Arena::free_list(std::size_t units) {
  return units < kSmall ? small_[units] : large_[units];
}

Ref Arena::allocate(std::size_t bytes) {
  const std::size_t count = units(bytes);
  Ref& list = free_list(count);
  Ref ref = list;
  if (ref != kNoRef) {
    std::memcpy(&list, (*this)[ref], sizeof(Ref));
  } else {
    ref = static_cast<Ref>(touched_ / kUnit);
    if (!touch(count * kUnit)) return kNoRef;
  }
  used_ += count * kUnit;
  return ref;
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

void Arena::free(Ref ref, std::size_t bytes) {
  const std::size_t count = units(bytes);
  Ref& list = free_list(count);
  std::memcpy((*this)[ref], &list, sizeof(Ref));
  list = ref;
  used_ -= count * kUnit;
}

void Arena::clear() {
  if (begin_ != nullptr) madvise(begin_, touched_, MADV_DONTNEED);
  if (memory_ != nullptr) memory_->release(granted_);
  granted_ = used_ = 0;
  touched_ = kUnit;
  small_.fill(kNoRef);
  large_.clear();
}

}  // namespace ludens::search::mcts
