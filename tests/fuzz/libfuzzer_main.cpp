// SPDX-License-Identifier: MIT
// The entry of libFuzzer to the target that LUDENS_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ludens::fuzz::LUDENS_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
