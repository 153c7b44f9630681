// SPDX-License-Identifier: MIT
#include "search/learning/tuple_index.h"

#include <map>

#include "gdl/memory/held_memory.h"

namespace ludens::search {

TupleIndex::TupleIndex(const TupleForm& form, const StateBits& bits)
    : kernel_(tables::best()),
      lookups_(form.lookup_count()),
      stride_((lookups_ + tables::kLanes - 1) / tables::kLanes * tables::kLanes),
      rows_(bits.size() * stride_, 0),
      mask_(bits.words(), 0) {
  std::map<gdl::FluentId, std::size_t> bit_of;
  for (std::size_t b = 0; b < bits.size(); ++b) bit_of[bits.fluents()[b]] = b;
  const auto contribute = [&](gdl::FluentId fluent, std::size_t lookup, std::size_t number) {
    const auto at = bit_of.find(fluent);
    if (at == bit_of.end() || number == 0) return;
    const std::size_t bit = at->second;
    rows_[bit * stride_ + lookup] = static_cast<std::uint16_t>(number);
    mask_[bit / 64] |= std::uint64_t{1} << bit % 64;
  };
  std::size_t lookup = 0;
  for (const auto& tuple : form.tuples) {
    for (std::size_t image = 0; image < form.images(); ++image, ++lookup) {
      std::size_t step = 1;
      for (const std::uint32_t v : tuple) {
        const Variable& variable = form.variables[v];
        const auto& fluents = image == 0 ? variable.fluents : form.symmetries[image - 1][v];
        for (std::size_t place = 0; place < fluents.size(); ++place) {
          contribute(fluents[place], lookup, variable.value_of(place) * step);
        }
        step *= variable.values();
      }
    }
  }
  for (const auto& count : form.counts) {
    for (const gdl::FluentId fluent : count) contribute(fluent, lookup, 1);
    ++lookup;
  }
}

std::size_t TupleIndex::bytes() const {
  return sizeof *this + gdl::bytes_of(rows_, mask_);
}

}  // namespace ludens::search
