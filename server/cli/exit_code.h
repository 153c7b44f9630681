// SPDX-License-Identifier: MIT
// How the program ends: what its exit codes mean, and the messages when it can't continue.
#pragma once

#include <string_view>

namespace ludens::server {

/// 0: done and good, 1: done and not good, 2: wrong use, 3: could not.
inline constexpr int kGood = 0, kNotGood = 1, kWrongUse = 2, kCouldNot = 3;

/// Returned instead of a value when the error was already printed: the exit code of the command.
struct Failure {
  int exit_code;
};

/// Prints `ludens: TEXT` to standard error; returns the exit code that it was given.
int fail(int code, std::string_view text);
/// Prints `ludens: COMMAND: TEXT`.
int fail(int code, std::string_view command, std::string_view text);

/// Flushes standard output and returns `code`. If something could not be written, for example to a
/// full disk, prints a line on standard error and returns 3; but not if the reader of a pipe has
/// gone away, because it has seen what it wanted.
int flush_output(int code);

}  // namespace ludens::server
