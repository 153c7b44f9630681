// SPDX-License-Identifier: MIT
// Hashes of numbers and of text, the same in every run and on every processor.
#pragma once

#include <cstdint>
#include <string_view>

namespace ludens::gdl {

/// 2^64 over the golden ratio: the initial value of a hash of a row of numbers, so that rows of
/// zeros of different lengths have different hashes.
inline constexpr std::uint64_t kHashStart = 0x9e3779b97f4a7c15;

/// Mixes one more number into a hash. Both halves of the result may be taken as a shorter hash.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccd;
  return hash ^ (hash >> 32);
}

/// Maps each number to a random-looking number, and different numbers to different ones. Seeds that
/// are `kHashStart` apart make it a sequence. Source: splitmix64.
inline std::uint64_t scatter(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A hash of text, for names of files, for comparisons across runs, and to detect damage. `before`:
/// the hash of the text that precedes it. Source: FNV-1a.
inline std::uint64_t hash_of_text(std::string_view text,
                                  std::uint64_t before = 0xcbf29ce484222325) {
  std::uint64_t hash = before;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace ludens::gdl
