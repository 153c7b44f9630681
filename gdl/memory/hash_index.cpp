// SPDX-License-Identifier: MIT
#include "gdl/memory/hash_index.h"

#include <algorithm>
#include <utility>

namespace ludens::gdl {

void HashIndex::Part::put(const Entry& entry) {
  std::size_t at = entry.hash & (entries.size() - 1);
  while (entries[at].number != kNone) at = (at + 1) & (entries.size() - 1);
  entries[at] = entry;
}

void HashIndex::grow(Part& part) {
  const std::size_t size = std::max<std::size_t>(16, part.entries.size() * 2);
  capacity_ += size - part.entries.size();
  const std::vector<Entry> old = std::exchange(part.entries, std::vector(size, Entry{0, kNone}));
  for (const Entry& entry : old) {
    if (entry.number != kNone) part.put(entry);
  }
}

void HashIndex::divide() {
  const Part whole = std::move(parts_[0]);
  parts_ = std::vector<Part>(kParts);
  capacity_ = 0;
  for (const Entry& entry : whole.entries) {
    if (entry.number == kNone) continue;
    const std::size_t p = part_of(entry.hash);
    Part& part = parts_[p];
    if (full(p)) grow(part);
    part.put(entry);
    ++part.used;
  }
}

}  // namespace ludens::gdl
