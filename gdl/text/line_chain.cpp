// SPDX-License-Identifier: MIT
#include "gdl/text/line_chain.h"

#include <charconv>
#include <cstdio>
#include <system_error>

#include "gdl/memory/hash.h"

namespace ludens::gdl {
namespace {

constexpr std::string_view kSumMember = "\"sum\":\"";
constexpr std::string_view kSumEnd = "\"}";
constexpr std::size_t kSumDigits = 16;
constexpr std::size_t kSumLength = kSumMember.size() + kSumDigits + kSumEnd.size();

/// In one form only, so that no flip of a bit writes the same number differently.
std::string digits_of(std::uint64_t sum) {
  char text[kSumDigits + 1];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(sum));  // NOLINT: %llx wants it
  return text;
}

}  // namespace

std::string LineChain::seal(std::string_view object) {
  std::string line(object.substr(0, object.size() - 1));
  if (line.size() > 1) line += ',';
  sum_ = hash_of_text(line, sum_);
  line += kSumMember;
  line += digits_of(sum_);
  line += kSumEnd;
  return line + '\n';
}

LineChain::Seal LineChain::read(std::string_view line) {
  const std::size_t body = line.size() < kSumLength ? 0 : line.size() - kSumLength;
  const std::string_view seal = line.substr(body);
  if (line.size() < kSumLength || !seal.starts_with(kSumMember) || !seal.ends_with(kSumEnd)) {
    sum_ = hash_of_text(line, sum_);
    return Seal::Missing;
  }
  const std::string_view digits = seal.substr(kSumMember.size(), kSumDigits);
  const std::uint64_t sum = hash_of_text(line.substr(0, body), sum_);
  const bool good = digits == digits_of(sum);
  sum_ = sum;
  if (good) return Seal::Good;
  std::uint64_t written = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), written, 16);
  if (error == std::errc{} && end == digits.end()) sum_ = written;
  return Seal::Wrong;
}

}  // namespace ludens::gdl
