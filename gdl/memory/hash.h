// Hashes that are the same in every run and on every processor.
#pragma once

#include <cstdint>
#include <string_view>

namespace ludens::gdl {

/// A hash of text, for names of files, for comparisons across runs, and to tell damage. Source:
/// FNV-1a.
inline std::uint64_t hash_of_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace ludens::gdl
