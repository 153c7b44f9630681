// SPDX-License-Identifier: MIT
#include "gdl/machine/state.h"

#include <algorithm>

namespace ludens::gdl {

__extension__ using Wide = unsigned __int128;

bool operator==(StateView a, StateView b) {
  return std::ranges::equal(a.words(), b.words());
}

StateHash hash(StateView state) {
  // Two multiply-fold lanes with odd constants (the scheme of wyhash), one for each half.
  auto fold = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  StateHash h{0xa0761d6478bd642f ^ state.words().size(), 0xe7037ed1a0b428db};
  for (const std::uint64_t word : state.words()) {
    h.low = fold(h.low ^ word, 0x8ebc6af09c88c6e3 ^ h.high);
    h.high = fold(h.high + 0x589965cc75374cc3, 0x1d8e4e27c47d124f ^ word);
  }
  return {fold(h.low ^ 0x2d358dccaa6c78a5, h.high | 1),
          fold(h.high ^ 0x8bb84b93962eacc9, h.low | 1)};
}

}  // namespace ludens::gdl
