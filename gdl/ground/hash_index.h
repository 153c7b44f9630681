// Numbers by a hash of what they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ludens::gdl {

/// Open addressing. A large index is cut into parts by the upper bits of the hash, each of which
/// grows by itself: an insertion never takes longer than a fraction of a millisecond, however many
/// there are. The caller compares.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  HashIndex() : parts_(1) {}

  /// The number with this hash for which `equal` says so, or kNone.
  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, Equal equal) const {
    const Part& part = parts_[part_of(hash)];
    if (part.entries.empty()) return kNone;
    return part.entries[part.place(hash, equal)].number;
  }
  /// The same; where there is none, `number` is put in, and returned.
  template <typename Equal>
  std::uint32_t find_or_insert(std::uint32_t hash, std::uint32_t number, Equal equal) {
    if (parts_.size() == 1 && parts_[0].used >= kLargestWhole) divide();
    Part& part = parts_[part_of(hash)];
    if ((part.used + 1) * 3 > part.entries.size() * 2) part.grow();
    Entry& entry = part.entries[part.place(hash, equal)];
    if (entry.number != kNone) return entry.number;
    entry = {hash, number};
    ++part.used;
    return number;
  }
  [[nodiscard]] std::size_t bytes() const;

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
    void grow();
    void put(const Entry& entry);
  };

  [[nodiscard]] std::size_t part_of(std::uint32_t hash) const {
    return parts_.size() == 1 ? 0 : hash >> 24;
  }
  void divide();

  std::vector<Part> parts_;  // one, or kParts
};

}  // namespace ludens::gdl
