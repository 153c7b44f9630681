// SPDX-License-Identifier: MIT
// Warnings that come again and again.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace ludens::server {

/// Lets a warning pass three times, then when it has come ten times, a hundred times, and so on.
/// Warnings are the same if they differ in numbers alone. Thread-safe; remembers a thousand
/// warnings and forgets them all when there are more.
class RepeatedWarnings {
 public:
  /// What to tell people: the text, with the number of times where others were held back; or
  /// nothing.
  std::optional<std::string> pass(const std::string& text);

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> times_;  // by the text without its numbers
};

}  // namespace ludens::server
