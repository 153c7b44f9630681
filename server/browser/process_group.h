// SPDX-License-Identifier: MIT
// Whether processes that were killed are gone.
#pragma once

#include <sys/types.h>

namespace ludens::server {

/// Whether a process of the group can still do something. A zombie can't; `kill` finds it all the
/// same, and where nobody reaps orphans it stays. Reads /proc: false where there is none.
bool group_lives(pid_t group);

}  // namespace ludens::server
