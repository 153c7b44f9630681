// SPDX-License-Identifier: MIT
#include "server/tournament/cores.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace ludens::server {

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

gdl::Result<std::vector<int>> parse_cores(std::string_view text) {
  const std::string wrong = "'" + std::string(text) + "' is not a list of processors like 0-3,6";
  std::set<int> cores;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const char* const end = entry.data() + entry.size();
    int first = 0, last = 0;
    auto read = std::from_chars(entry.data(), end, first);
    last = first;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, last);
    }
    if (read.ec != std::errc() || read.ptr != end || first < 0 || last < first ||
        last >= CPU_SETSIZE) {
      return gdl::Error{wrong};
    }
    for (int core = first; core <= last; ++core) cores.insert(core);
  }
  return std::vector<int>(cores.begin(), cores.end());
}

bool pin_thread(std::span<const int> cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

std::vector<int> CorePool::take(std::size_t threads) {
  const auto begin = free_.end() - static_cast<std::ptrdiff_t>(share(threads));
  std::vector<int> taken(begin, free_.end());
  free_.erase(begin, free_.end());
  return taken;
}

void CorePool::give(const std::vector<int>& cores) {
  free_.insert(free_.end(), cores.begin(), cores.end());
}

}  // namespace ludens::server
