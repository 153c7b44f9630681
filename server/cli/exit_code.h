// SPDX-License-Identifier: MIT
// What the program's exit codes mean.
#pragma once

namespace ludens::server {

/// 0 done and good, 1 done and not good, 2 wrong use, 3 could not.
inline constexpr int kGood = 0, kNotGood = 1, kWrongUse = 2, kCouldNot = 3;

}  // namespace ludens::server
