// SPDX-License-Identifier: MIT
// 128 states at once: in registers that x86-64 and ARM64 always have, and WebAssembly.
#define LUDENS_KERNEL_WORDS 2
#define LUDENS_KERNEL kLanes128
#define LUDENS_KERNEL_NAME "128-bit"
#include "gdl/kernel/kernel_body.h"
