// SPDX-License-Identifier: MIT
// The page that `man ludens` shows.
#pragma once

#include <string>

#include "server/manual/description.h"

namespace ludens::server {

/// In the macros of man(7), with every command and every option.
std::string man_page(const ProgramDescription& program);

}  // namespace ludens::server
