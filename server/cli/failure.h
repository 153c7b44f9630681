// SPDX-License-Identifier: MIT
// What a command says when it can't go on.
#pragma once

#include <string_view>

namespace ludens::server {

/// Prints `ludens: TEXT` to standard error; returns the exit code that it was given.
int fail(int code, std::string_view text);
/// Prints `ludens: COMMAND: TEXT`.
int fail(int code, std::string_view command, std::string_view text);

}  // namespace ludens::server
