// SPDX-License-Identifier: MIT
// Limits warnings that repeat.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace ludens::server {

/// Lets a warning pass three times, then the tenth time, the hundredth time, and so on. Warnings
/// are the same if they differ only in numbers. Thread-safe; remembers a thousand warnings and
/// forgets them all when there are more.
class RepeatedWarnings {
 public:
  /// The text to show, with the number of times if others were suppressed; or nullopt.
  std::optional<std::string> pass(const std::string& text);

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> times_;  // by the text without its numbers
};

}  // namespace ludens::server
