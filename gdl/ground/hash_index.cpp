#include "gdl/ground/hash_index.h"

#include <algorithm>
#include <utility>

namespace ludens::gdl {

void HashIndex::Part::put(const Entry& entry) {
  std::size_t at = entry.hash & (entries.size() - 1);
  while (entries[at].number != kNone) at = (at + 1) & (entries.size() - 1);
  entries[at] = entry;
}

void HashIndex::Part::grow() {
  const std::size_t size = std::max<std::size_t>(16, entries.size() * 2);
  const std::vector<Entry> old = std::exchange(entries, std::vector(size, Entry{0, kNone}));
  for (const Entry& entry : old) {
    if (entry.number != kNone) put(entry);
  }
}

void HashIndex::divide() {
  const Part whole = std::move(parts_[0]);
  parts_ = std::vector<Part>(kParts);
  for (const Entry& entry : whole.entries) {
    if (entry.number == kNone) continue;
    Part& part = parts_[part_of(entry.hash)];
    if ((part.used + 1) * 3 > part.entries.size() * 2) part.grow();
    part.put(entry);
    ++part.used;
  }
}

std::size_t HashIndex::bytes() const {
  std::size_t total = parts_.size() * sizeof(Part);
  for (const Part& part : parts_) total += part.entries.capacity() * sizeof(Entry);
  return total;
}

}  // namespace ludens::gdl
