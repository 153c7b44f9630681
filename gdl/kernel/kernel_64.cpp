// SPDX-License-Identifier: MIT
// 64 states at once, on any processor.
#define LUDENS_KERNEL_WORDS 1
#define LUDENS_KERNEL kLanes64
#define LUDENS_KERNEL_NAME "64-bit"
#include "gdl/kernel/kernel_body.h"
