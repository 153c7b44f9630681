// SPDX-License-Identifier: MIT
// What the program's exit codes mean.
#pragma once

namespace ludens::server {

/// 0 done and good, 1 done and not good, 2 wrong use, 3 could not.
inline constexpr int kGood = 0, kNotGood = 1, kWrongUse = 2, kCouldNot = 3;

/// Why there is no value, where people have been told already: how the command ends.
struct Failure {
  int exit_code;
};

}  // namespace ludens::server
