// SPDX-License-Identifier: MIT
#include "gdl/memory/address_range.h"

#include <cstring>

#if defined(__EMSCRIPTEN__)
#include <cstdlib>
#else
#include <sys/mman.h>
#endif

namespace ludens::gdl {

#if defined(__EMSCRIPTEN__)

AddressRange::AddressRange(std::size_t bytes)
    : begin_(static_cast<std::byte*>(std::calloc(bytes, 1))),
      bytes_(begin_ != nullptr ? bytes : 0) {}

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
