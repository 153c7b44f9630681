// SPDX-License-Identifier: MIT
#include "search/learning/tuple_index.h"

#include <map>

#include "gdl/memory/held_memory.h"

namespace ludens::search {

TupleIndex::TupleIndex(const TupleForm& form, const StateBits& bits)
    : kernel_(tables::best()),
      tuples_(form.tuple_count()),
      stride_((tuples_ + tables::kLanes - 1) / tables::kLanes * tables::kLanes),
      rows_(bits.size() * stride_, 0),
      mask_(bits.words(), 0) {
  std::map<gdl::FluentId, std::size_t> bit_of;
  for (std::size_t b = 0; b < bits.size(); ++b) bit_of[bits.fluents()[b]] = b;
  const auto contribute = [&](gdl::FluentId fluent, std::size_t tuple, std::size_t number) {
    const auto at = bit_of.find(fluent);
    if (at == bit_of.end() || number == 0) return;
    const std::size_t bit = at->second;
    rows_[bit * stride_ + tuple] = static_cast<std::uint16_t>(number);
    mask_[bit / 64] |= std::uint64_t{1} << bit % 64;
  };
  for (std::size_t t = 0; t < form.tuples.size(); ++t) {
    std::size_t step = 1;
    for (const std::uint32_t v : form.tuples[t]) {
      const Variable& variable = form.variables[v];
      for (std::size_t place = 0; place < variable.fluents.size(); ++place) {
        contribute(variable.fluents[place], t, variable.value_of(place) * step);
      }
      step *= variable.values();
    }
  }
  for (std::size_t c = 0; c < form.counts.size(); ++c) {
    for (const gdl::FluentId fluent : form.counts[c]) contribute(fluent, form.tuples.size() + c, 1);
  }
}

std::size_t TupleIndex::bytes() const {
  return sizeof *this + gdl::bytes_of(rows_, mask_);
}

}  // namespace ludens::search
