// SPDX-License-Identifier: MIT
// 16 numbers at once. Compiled for AVX2.
#if defined(__x86_64__)
#define LUDENS_TABLE_LANES 16
#define LUDENS_TABLE_KERNEL kAvx2
#define LUDENS_TABLE_NAME "AVX2"
#include "search/learning/table_kernel_body.h"
#endif
