#include "gdl/ground/tuples.h"

#include <algorithm>

namespace ludens::gdl {

std::uint32_t Tuples::hash(const std::uint32_t* row) const {
  std::uint64_t h = hash_start();
  for (std::uint32_t c = 0; c < columns_; ++c) h = hash_step(h, row[c]);
  return static_cast<std::uint32_t>(h);
}

std::size_t Tuples::slot(const std::uint32_t* row, std::uint32_t hash) const {
  std::size_t s = hash & (slots_.size() - 1);
  for (; slots_[s].row != kNoRow; s = (s + 1) & (slots_.size() - 1)) {
    if (slots_[s].hash != hash) continue;
    const std::uint32_t* there = this->row(slots_[s].row);
    std::uint32_t c = 0;
    while (c < columns_ && there[c] == row[c]) ++c;
    if (c == columns_) break;
  }
  return s;
}

void Tuples::grow() {
  std::vector<Slot> larger(std::max<std::size_t>(16, slots_.size() * 2), Slot{0, kNoRow});
  for (const Slot& old : slots_) {
    if (old.row == kNoRow) continue;
    std::size_t s = old.hash & (larger.size() - 1);
    while (larger[s].row != kNoRow) s = (s + 1) & (larger.size() - 1);
    larger[s] = old;
  }
  slots_ = std::move(larger);
}

bool Tuples::insert(const std::uint32_t* row) {
  if ((static_cast<std::size_t>(size_) + 1) * 2 > slots_.size()) grow();
  const std::uint32_t h = hash(row);
  Slot& s = slots_[slot(row, h)];
  if (s.row != kNoRow) return false;
  s = {h, size_++};
  cells_.insert(cells_.end(), row, row + columns_);
  return true;
}

RowId Tuples::find(const std::uint32_t* row) const {
  return size_ == 0 ? kNoRow : slots_[slot(row, hash(row))].row;
}

std::size_t Tuples::bytes() const {
  std::size_t total = cells_.capacity() * sizeof(std::uint32_t) + slots_.capacity() * sizeof(Slot);
  for (const Index& i : indices_) {
    total += (i.buckets_.capacity() + i.next_.capacity()) * sizeof(RowId);
  }
  return total;
}

Tuples::Index& Tuples::index(std::uint64_t mask) {
  for (Index& i : indices_) {
    if (i.mask_ == mask) return i;
  }
  indices_.emplace_back().mask_ = mask;
  return indices_.back();
}

void Tuples::extend(Index& index) const {
  if (index.next_.size() == size_) return;
  if (index.buckets_.size() < size_) {
    std::size_t buckets = 16;
    while (buckets < std::size_t{2} * size_) buckets *= 2;
    index.buckets_.assign(buckets, kNoRow);
    index.next_.clear();
  }
  for (RowId r = static_cast<RowId>(index.next_.size()); r < size_; ++r) {
    std::uint64_t h = hash_start();
    for (std::uint32_t c = 0; c < columns_; ++c) {
      if (index.mask_ >> c & 1) h = hash_step(h, row(r)[c]);
    }
    RowId& bucket = index.buckets_[h & (index.buckets_.size() - 1)];
    index.next_.push_back(bucket);
    bucket = r;
  }
}

}  // namespace ludens::gdl
