// SPDX-License-Identifier: MIT
#include "gdl/program/registers.h"

#include <cstring>
#include <new>

namespace ludens::gdl {

namespace {
constexpr std::align_val_t kAlignment{64};
}

bool Registers::allocate(std::size_t bytes, MemoryBudget* budget) {
  reset();
  if (budget != nullptr && !budget->reserve(bytes)) return false;
  budget_ = budget;
  bytes_ = bytes;
  data_ = ::operator new(bytes, kAlignment);
  std::memset(data_, 0, bytes);
  return true;
}

void Registers::reset() {
  if (data_ == nullptr) return;
  ::operator delete(data_, kAlignment);
  if (budget_ != nullptr) budget_->release(bytes_);
  data_ = nullptr;
}

}  // namespace ludens::gdl
