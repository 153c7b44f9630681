// SPDX-License-Identifier: MIT
#include "gdl/program/registers.h"

#include <cstring>
#include <new>

#include "gdl/memory/address_range.h"

namespace ludens::gdl {

namespace {

constexpr std::size_t kLine = 64;  // bytes of a line of the cache
constexpr std::size_t kLargePage = AddressRange::kLargePage;

/// What is large begins with a large page.
std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes < kLargePage ? kLine : kLargePage};
}

}  // namespace

bool Registers::allocate(std::size_t bytes, MemoryBudget* budget) {
  reset();
  if (!held_.reserve(bytes, budget)) return false;
  bytes_ = bytes;
  data_ = ::operator new(bytes, alignment_of(bytes));
  if (bytes >= kLargePage) AddressRange::prefer_large_pages(data_, bytes);
  std::memset(data_, 0, bytes);
  return true;
}

void Registers::reset() {
  if (data_ != nullptr) ::operator delete(data_, alignment_of(bytes_));
  data_ = nullptr;
  held_.release();
}

}  // namespace ludens::gdl
