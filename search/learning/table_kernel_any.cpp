// SPDX-License-Identifier: MIT
// For any processor.
#define LUDENS_TABLE_LANES 8
#define LUDENS_TABLE_KERNEL kAny
#define LUDENS_TABLE_NAME "any"
#include "search/learning/table_kernel_body.h"
