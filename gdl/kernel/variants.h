// SPDX-License-Identifier: MIT
// One source is compiled for several instruction sets: this finds which of the results this
// processor can run.
#pragma once

#include <cstddef>

namespace ludens::gdl::kernel {

template <typename Loops>
struct Variant {
  std::size_t lanes;
  const Loops* loops;
  bool runs;  // whether this processor has the instructions
};

/// The variant with this many lanes; null if there is none or this processor can't run it.
template <typename Loops, std::size_t kCount>
const Loops* find_variant(const Variant<Loops> (&variants)[kCount], std::size_t lanes) {
  for (const Variant<Loops>& variant : variants) {
    if (variant.lanes == lanes && variant.runs) return variant.loops;
  }
  return nullptr;
}

/// The widest variant that this processor can run. They are ordered by lanes; the first runs
/// everywhere.
template <typename Loops, std::size_t kCount>
const Loops& widest_variant(const Variant<Loops> (&variants)[kCount]) {
  const Loops* widest = variants[0].loops;
  for (const Variant<Loops>& variant : variants) {
    if (variant.runs) widest = variant.loops;
  }
  return *widest;
}

}  // namespace ludens::gdl::kernel
