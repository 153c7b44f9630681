// SPDX-License-Identifier: MIT
#include "gdl/ground/tuples.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::gdl {

std::uint32_t Tuples::hash(const std::uint32_t* row) const {
  std::uint64_t h = kHashStart;
  for (std::uint32_t c = 0; c < columns_; ++c) h = mix(h, row[c]);
  return static_cast<std::uint32_t>(h);
}

bool Tuples::equals(RowId id, const std::uint32_t* row) const {
  const std::uint32_t* there = this->row(id);
  return std::equal(row, row + columns_, there);
}

bool Tuples::insert(const std::uint32_t* row) {
  const RowId found =
      rows_.find_or_insert(hash(row), size_, [&](RowId id) { return equals(id, row); });
  if (found != size_) return false;
  ++size_;
  cells_.append(row, columns_);
  return true;
}

RowId Tuples::find(const std::uint32_t* row) const {
  return rows_.find(hash(row), [&](RowId id) { return equals(id, row); });
}

std::size_t Tuples::bytes() const {
  std::size_t total = cells_.bytes() + rows_.bytes();
  for (const Index& i : indices_) total += i.buckets_.bytes() + i.next_.bytes();
  return total;
}

Tuples::Index& Tuples::index(std::uint64_t mask) {
  for (Index& i : indices_) {
    if (i.mask_ == mask) return i;
  }
  indices_.emplace_back().mask_ = mask;
  return indices_.back();
}

double Tuples::distinct(std::uint32_t column) {
  constexpr RowId kSample = 512;
  spreads_.resize(columns_);
  Spread& spread = spreads_[column];
  if (spread.rows != 0 && size_ < 2 * spread.rows) return spread.values;
  const RowId sampled = std::min(size_, kSample);
  if (sampled == 0) return 1;
  std::vector<std::uint32_t> values;
  for (RowId i = 0; i < sampled; ++i) {
    values.push_back(row(static_cast<RowId>(std::uint64_t{i} * size_ / sampled))[column]);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  // If the sample shows few values, these are about all; if each row has its own, there are more.
  spread = {size_, static_cast<double>(values.size())};
  if (values.size() > sampled / 2) spread.values *= static_cast<double>(size_) / sampled;
  return spread.values;
}

bool Tuples::extend(Index& index, RowId most) const {
  if (index.next_.size() == size_) return true;
  if (index.buckets_.size() < size_) {
    std::size_t buckets = 16;
    while (buckets < size_) buckets *= 2;
    index.buckets_.assign_zero(buckets);
    index.next_.clear();
  }
  const auto begin = static_cast<RowId>(index.next_.size());
  const RowId end = begin + std::min(most, size_ - begin);
  for (RowId r = begin; r < end; ++r) {
    const std::uint32_t* cells = row(r);
    const std::uint64_t h = index.hash([&](std::uint32_t c) { return cells[c]; });
    RowId& bucket = index.buckets_[h & (index.buckets_.size() - 1)];
    index.next_.push_back(bucket);
    bucket = r + 1;
  }
  return end == size_;
}

}  // namespace ludens::gdl
