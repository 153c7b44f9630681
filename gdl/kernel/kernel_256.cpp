// SPDX-License-Identifier: MIT
// 256 states at once. Compiled for AVX2 and POPCNT.
#if defined(__x86_64__)
#define LUDENS_KERNEL_WORDS 4
#define LUDENS_KERNEL kLanes256
#define LUDENS_KERNEL_NAME "AVX2"
#include "gdl/kernel/kernel_body.h"
#endif
