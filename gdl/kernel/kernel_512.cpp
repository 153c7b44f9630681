// SPDX-License-Identifier: MIT
// 512 states at once. Compiled for AVX-512 (F, BW, DQ, VL, VBMI*, VPOPCNTDQ), GFNI, BMI2, POPCNT.
#if defined(__x86_64__)
#define LUDENS_KERNEL_WORDS 8
#define LUDENS_KERNEL kLanes512
#define LUDENS_KERNEL_NAME "AVX-512"
#include "gdl/kernel/kernel_body.h"
#endif
