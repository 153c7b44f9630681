// SPDX-License-Identifier: MIT
// Finds numbers by a hash of what they represent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ludens::gdl {

/// Open addressing. A large index is cut into parts by the upper bits of the hash, each of which
/// grows independently, and at a different load factor (0.45 to 0.7): neither one insertion nor a
/// few thousand of them take longer than a few milliseconds, however many entries there are. The
/// caller compares.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  HashIndex() : parts_(1) {}

  /// The number with this hash for which `equal` returns true, or kNone.
  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, Equal equal) const {
    const Part& part = parts_[part_of(hash)];
    if (part.entries.empty()) return kNone;
    return part.entries[part.place(hash, equal)].number;
  }
  /// The same; if there is none, `number` is inserted and returned.
  template <typename Equal>
  std::uint32_t find_or_insert(std::uint32_t hash, std::uint32_t number, Equal equal) {
    if (parts_.size() == 1 && parts_[0].used >= kLargestWhole) divide();
    const std::size_t p = part_of(hash);
    Part& part = parts_[p];
    if (full(p)) grow(part);
    Entry& entry = part.entries[part.place(hash, equal)];
    if (entry.number != kNone) return entry.number;
    entry = {hash, number};
    ++part.used;
    return number;
  }
  [[nodiscard]] std::size_t bytes() const {
    return parts_.size() * sizeof(Part) + capacity_ * sizeof(Entry);
  }

 private:
  static constexpr std::size_t kLargestWhole = 1U << 14;
  static constexpr std::size_t kParts = 256;

  struct Entry {
    std::uint32_t hash, number;
  };
  struct Part {
    std::vector<Entry> entries;  // their number is a power of two
    std::size_t used = 0;

    template <typename Equal>
    [[nodiscard]] std::size_t place(std::uint32_t hash, Equal equal) const {
      std::size_t at = hash & (entries.size() - 1);
      while (entries[at].number != kNone &&
             (entries[at].hash != hash || !equal(entries[at].number))) {
        at = (at + 1) & (entries.size() - 1);
      }
      return at;
    }
    void put(const Entry& entry);
  };

  [[nodiscard]] std::size_t part_of(std::uint32_t hash) const {
    return parts_.size() == 1 ? 0 : hash >> 24;
  }
  [[nodiscard]] bool full(std::size_t part) const {
    const Part& p = parts_[part];
    return (p.used + 1) * 1024 > p.entries.size() * (460 + part);
  }
  void grow(Part& part);
  void divide();

  std::vector<Part> parts_;   // one, or kParts
  std::size_t capacity_ = 0;  // entries of all parts
};

}  // namespace ludens::gdl
