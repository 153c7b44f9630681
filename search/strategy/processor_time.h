// SPDX-License-Identifier: MIT
// The processor time of a thread.
#pragma once

#include <ctime>

namespace ludens::search {

/// The processor time of the calling thread, in seconds.
inline double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace ludens::search
