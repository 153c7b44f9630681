// SPDX-License-Identifier: MIT
// Files of knowledge that a stranger has changed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace ludens::search::test {

/// Where a file says how many moves its values see, and how many games they are from: after the
/// magic, the version and the fingerprint.
inline constexpr std::size_t kPlaceOfReach = 44, kPlaceOfGames = 48;

/// With the sum that belongs to the bytes before it.
inline std::string summed(std::string bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
  }
  std::memcpy(bytes.data() + bytes.size() - 8, &hash, 8);
  return bytes;
}

/// With another number at this place.
template <typename Number>
std::string with_number(std::string bytes, std::size_t place, Number number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
  return summed(std::move(bytes));
}

}  // namespace ludens::search::test
