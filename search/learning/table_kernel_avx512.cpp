// SPDX-License-Identifier: MIT
// 32 numbers at once. Compiled for AVX-512.
#if defined(__x86_64__)
#define LUDENS_TABLE_LANES 32
#define LUDENS_TABLE_KERNEL kAvx512
#define LUDENS_TABLE_NAME "AVX-512"
#include "search/learning/table_kernel_body.h"
#endif
