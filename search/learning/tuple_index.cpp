// SPDX-License-Identifier: MIT
#include "search/learning/tuple_index.h"

#include <algorithm>

namespace ludens::search {

namespace {

std::size_t stride_of(std::size_t lookups) {
  return (lookups + tables::kLanes - 1) / tables::kLanes * tables::kLanes;
}

}  // namespace

TupleIndex::TupleIndex(const TupleForm& form, const StateBits& bits)
    : kernel_(tables::best()),
      lookups_(form.lookup_count()),
      stride_(stride_of(lookups_)),
      plain_{std::vector<std::uint16_t>(bits.size() * stride_, 0),
             std::vector<std::uint64_t>(bits.words(), 0)} {
  const auto bit_of = bits.bit_of();
  const auto contribute = [&](gdl::FluentId fluent, std::size_t lookup, std::size_t number) {
    const auto at = bit_of.find(fluent);
    if (at == bit_of.end() || number == 0) return;
    const std::size_t bit = at->second;
    plain_.rows[bit * stride_ + lookup] = static_cast<std::uint16_t>(number);
    plain_.mask[bit / 64] |= std::uint64_t{1} << bit % 64;
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
  if (!form.exchange.empty()) exchange(form, bits);
}

/// Each fluent contributes what its image does.
void TupleIndex::exchange(const TupleForm& form, const StateBits& bits) {
  exchanged_ = plain_;
  std::ranges::fill(exchanged_.mask, 0);
  const auto bit_of = bits.bit_of();
  for (std::size_t v = 0; v < form.variables.size(); ++v) {
    for (std::size_t place = 0; place < form.variables[v].fluents.size(); ++place) {
      const auto from = bit_of.find(form.variables[v].fluents[place]);
      const auto to = bit_of.find(form.exchange[v][place]);
      if (from == bit_of.end() || to == bit_of.end()) continue;
      const std::size_t bit = from->second, image = to->second;
      std::copy_n(&plain_.rows[image * stride_], stride_, &exchanged_.rows[bit * stride_]);
      exchanged_.mask[bit / 64] |= (plain_.mask[image / 64] >> image % 64 & 1) << bit % 64;
    }
  }
}

std::size_t TupleIndex::bytes(const TupleForm& form, const StateBits& bits) {
  const std::size_t row = stride_of(form.lookup_count()) * sizeof(std::uint16_t);
  const std::size_t contributions = bits.size() * row + bits.words() * sizeof(std::uint64_t);
  return sizeof(TupleIndex) + (form.exchange.empty() ? 1 : 2) * contributions;
}

}  // namespace ludens::search
