// SPDX-License-Identifier: MIT
// Processors, handed out so that thinking players do not steal time from each other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// The processors on which this process may run (taskset, containers and batch systems restrict
/// them).
std::vector<int> usable_cores();

/// Parses `0-3,6`: sorted, each once; otherwise a sentence.
gdl::Result<std::vector<int>> parse_cores(std::string_view text);

/// Restricts the calling thread, and threads that it creates from now on, to these. False if the
/// system refuses.
bool pin_thread(std::span<const int> cores);

/// A number of processors that are lent out. Not thread-safe.
class CorePool {
 public:
  explicit CorePool(std::vector<int> cores) : free_(std::move(cores)), size_(free_.size()) {}

  /// How many processors a match that wants `threads` gets: never more than there are.
  [[nodiscard]] std::size_t share(std::size_t threads) const {
    return threads < size_ ? threads : size_;
  }
  [[nodiscard]] bool can_take(std::size_t threads) const { return share(threads) <= free_.size(); }
  /// Requires `can_take(threads)`. Must be given back.
  std::vector<int> take(std::size_t threads);
  void give(const std::vector<int>& cores);

 private:
  std::vector<int> free_;
  std::size_t size_;
};

}  // namespace ludens::server
