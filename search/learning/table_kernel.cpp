#include "search/learning/table_kernel.h"

#include <initializer_list>

namespace ludens::search::tables {

const Kernel* find(std::size_t lanes) {
  if (lanes == 8) return &kAny;
#if defined(__x86_64__)
  if (lanes == 16 && __builtin_cpu_supports("avx2")) return &kAvx2;
  if (lanes == 32 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return &kAvx512;
  }
#endif
  return nullptr;
}

const Kernel& best() {
  for (const std::size_t lanes : {32, 16}) {
    if (const Kernel* kernel = find(lanes)) return *kernel;
  }
  return kAny;
}

}  // namespace ludens::search::tables
