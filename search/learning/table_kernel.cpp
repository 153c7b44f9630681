// SPDX-License-Identifier: MIT
#include "search/learning/table_kernel.h"

#include <bit>
#include <cstring>

#include "gdl/kernel/variants.h"

namespace ludens::search::tables {

static_assert(std::endian::native == std::endian::little);

namespace {

using Four = float __attribute__((vector_size(16)));

/// Reads four indices at once.
inline Four four_weights(const Table& table, const std::uint16_t* indices, std::size_t at) {
  std::uint64_t four = 0;
  std::memcpy(&four, indices + at, sizeof four);
  const std::uint32_t* first = table.first + at;
  const float* weights = table.weights;
  const auto index = [four](int i) { return static_cast<std::uint32_t>(four >> 16 * i & 0xffff); };
  return Four{read(weights[first[0] + index(0)]), read(weights[first[1] + index(1)]),
              read(weights[first[2] + index(2)]), read(weights[first[3] + index(3)])};
}

/// Adds up all weights in one order, and shows each four of them.
template <typename Show>
inline float add_up(const Table& table, const std::uint16_t* indices, Show show) {
  Four sums[4] = {};
  for (std::size_t i = 0; i < table.count; i += 16) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Four weights = four_weights(table, indices, i + 4 * k);
      show(i + 4 * k, weights);
      sums[k] += weights;
    }
  }
  const Four all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return (all[0] + all[1]) + (all[2] + all[3]);
}

const auto& kernels() {
  static const gdl::kernel::Variant<Kernel> all[] = {
    {8, &kAny, true},
#if defined(__x86_64__)
    {16, &kAvx2, __builtin_cpu_supports("avx2") != 0},
    {32, &kAvx512,
     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
#endif
  };
  return all;
}

}  // namespace

float gather(const Table& table, const std::uint16_t* indices, float* out) {
  return add_up(table, indices, [out](std::size_t at, const Four& weights) {
    std::memcpy(out + at, &weights, sizeof weights);
  });
}

float sum(const Table& table, const std::uint16_t* indices) {
  return add_up(table, indices, [](std::size_t, const Four&) {});
}

const Kernel* find(std::size_t lanes) {
  return gdl::kernel::find_variant(kernels(), lanes);
}

const Kernel& best() {
  return gdl::kernel::widest_variant(kernels());
}

}  // namespace ludens::search::tables
