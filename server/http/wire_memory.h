// SPDX-License-Identifier: MIT
// The memory of network traffic: bodies while they arrive, trees parsed from them, replies that
// wait.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "gdl/memory/limits.h"

namespace ludens::server {

/// Shared by everything that holds bytes of peers; thread-safe. An eighth of it is reserved for
/// small holders, so that a PLAY is read and answered even if large rulesheets have taken the rest.
class WireMemory {
 public:
  static constexpr std::size_t kLittle = std::size_t{256} << 10;

  explicit WireMemory(std::size_t limit_bytes)
      : all_(limit_bytes), large_(limit_bytes - limit_bytes / 8) {}
  [[nodiscard]] std::size_t used() const { return all_.used(); }
  [[nodiscard]] std::size_t limit() const { return all_.limit(); }

 private:
  friend class HeldBytes;
  gdl::MemoryBudget all_, large_;
};

/// The memory of one body, tree or reply; the destructor releases it. One thread at a time may use
/// it.
class HeldBytes {
 public:
  /// If `memory` is null, everything is allowed and nothing is counted.
  explicit HeldBytes(std::shared_ptr<WireMemory> memory = nullptr) : memory_(std::move(memory)) {}
  HeldBytes(HeldBytes&& other) noexcept
      : memory_(std::move(other.memory_)),
        bytes_(std::exchange(other.bytes_, 0)),
        large_(std::exchange(other.large_, 0)) {}
  HeldBytes& operator=(HeldBytes&& other) noexcept;
  ~HeldBytes() { (void)resize(0); }

  /// Holds this many bytes in total. Returns false, and changes nothing, if there are not that
  /// many; reducing always succeeds.
  [[nodiscard]] bool resize(std::size_t bytes) noexcept;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const std::shared_ptr<WireMemory>& memory() const { return memory_; }

 private:
  std::shared_ptr<WireMemory> memory_;
  std::size_t bytes_ = 0, large_ = 0;
};

}  // namespace ludens::server
