// SPDX-License-Identifier: MIT
#include "tests/project_folder.h"

namespace ludens {

std::string project_folder() {
  return LUDENS_SOURCE_DIR;
}

#ifdef LUDENS_PROGRAM
std::string ludens_program() {
  return LUDENS_PROGRAM;
}
#endif

}  // namespace ludens
