#include "gdl/sliced/kernel.h"

namespace ludens::gdl::kernel {

const Kernel* find(std::size_t lanes) {
  if (lanes == kLanes64.lanes) return &kLanes64;
  if (lanes == kLanes256.lanes && __builtin_cpu_supports("avx2")) return &kLanes256;
  if (lanes == kLanes512.lanes && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq")) {
    return &kLanes512;
  }
  return nullptr;
}

const Kernel& widest() {
  for (const std::size_t lanes : {512, 256}) {
    if (const Kernel* kernel = find(lanes)) return *kernel;
  }
  return kLanes64;
}

}  // namespace ludens::gdl::kernel
