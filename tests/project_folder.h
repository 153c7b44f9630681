// SPDX-License-Identifier: MIT
// Where the project's own files lie.
#pragma once

#include <string>

namespace ludens {

// Compiled into one source alone, so that the tests of a copy in another folder are found in the
// compiler's cache.

/// The root of the project, without a slash at its end.
std::string project_folder();
/// The program `ludens` that was built with the tests. Only for tests of the server.
std::string ludens_program();

}  // namespace ludens
