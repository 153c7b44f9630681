// SPDX-License-Identifier: MIT
#include "server/http/wire_memory.h"

namespace ludens::server {
namespace {

/// Changes the reservation from `held` to `wanted`.
bool change(gdl::MemoryBudget& budget, std::size_t held, std::size_t wanted) noexcept {
  if (wanted > held) return budget.reserve(wanted - held);
  budget.release(held - wanted);
  return true;
}

}  // namespace

HeldBytes& HeldBytes::operator=(HeldBytes&& other) noexcept {
  if (this == &other) return *this;
  (void)resize(0);
  memory_ = std::move(other.memory_);
  bytes_ = std::exchange(other.bytes_, 0);
  large_ = std::exchange(other.large_, 0);
  return *this;
}

bool HeldBytes::resize(std::size_t bytes) noexcept {
  if (memory_ == nullptr) return true;
  const std::size_t large = bytes > WireMemory::kLittle ? bytes : 0;
  if (!change(memory_->all_, bytes_, bytes)) return false;
  if (!change(memory_->large_, large_, large)) {
    (void)change(memory_->all_, bytes, bytes_);
    return false;
  }
  bytes_ = bytes;
  large_ = large;
  return true;
}

}  // namespace ludens::server
