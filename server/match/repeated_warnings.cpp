// SPDX-License-Identifier: MIT
#include "server/match/repeated_warnings.h"

namespace ludens::server {

namespace {

constexpr std::size_t kAlways = 3, kRemembered = 1000;

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char character : text) {
    if (!is_digit(character)) {
      out += character;
    } else if (out.empty() || out.back() != '0') {
      out += '0';
    }
  }
  return out;
}

bool is_power_of_ten(std::size_t count) {
  while (count >= 10 && count % 10 == 0) count /= 10;
  return count == 1;
}

}  // namespace

std::optional<std::string> RepeatedWarnings::pass(const std::string& text) {
  std::string key = without_numbers(text);
  const std::lock_guard lock(mutex_);
  if (times_.size() >= kRemembered && !times_.contains(key)) times_.clear();
  const std::size_t times = ++times_[std::move(key)];
  if (times < kAlways) return text;
  if (times == kAlways) return text + " (reported again after 10 times, 100 times, ...)";
  if (!is_power_of_ten(times)) return std::nullopt;
  return text + " (" + std::to_string(times) + " times so far)";
}

}  // namespace ludens::server
