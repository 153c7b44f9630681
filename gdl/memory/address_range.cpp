// SPDX-License-Identifier: MIT
#include "gdl/memory/address_range.h"

#include <cstring>

#if defined(__EMSCRIPTEN__)
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#else
#include <sys/mman.h>
#endif

namespace ludens::gdl {

#if defined(__EMSCRIPTEN__)

// What the memory grows by is zero. To write that again takes long: the system has to provide each
// page of it.
AddressRange::AddressRange(std::size_t bytes) {
  constexpr std::size_t kPage = 65536;  // in which memory grows
  const std::size_t known = __builtin_wasm_memory_size(0) * kPage;
  begin_ = static_cast<std::byte*>(std::malloc(bytes));
  if (begin_ == nullptr) return;
  bytes_ = bytes;
  const auto place = reinterpret_cast<std::uintptr_t>(begin_);
  if (place < known) std::memset(begin_, 0, std::min(bytes, known - place));
}

AddressRange::~AddressRange() {
  std::free(begin_);
}

void AddressRange::prefer_large_pages(void* /*place*/, std::size_t /*bytes*/) {}

void AddressRange::forget(void* place, std::size_t bytes) {
  std::memset(place, 0, bytes);
}

#else

AddressRange::AddressRange(std::size_t bytes) {
  void* const range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return;
  begin_ = static_cast<std::byte*>(range);
  bytes_ = bytes;
}

AddressRange::~AddressRange() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

void AddressRange::prefer_large_pages(void* place, std::size_t bytes) {
  madvise(place, bytes, MADV_HUGEPAGE);
}

void AddressRange::forget(void* place, std::size_t bytes) {
  constexpr std::size_t kSystemPage = 4096;
  const std::size_t whole = bytes / kSystemPage * kSystemPage;
  if (whole > 0) madvise(place, whole, MADV_DONTNEED);
  std::memset(static_cast<std::byte*>(place) + whole, 0, bytes - whole);
}

#endif

}  // namespace ludens::gdl
