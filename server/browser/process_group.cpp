// SPDX-License-Identifier: MIT
#include "server/browser/process_group.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ludens::server {
namespace {

/// The content of /proc/PID/stat, as proc(5) describes it.
bool lives_in(const std::string& stat, pid_t group) {
  // The name, in parentheses, may have any character.
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(stat.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0, its_group = 0;
  fields >> state >> parent >> its_group;
  if (!fields || its_group != group) return false;
  if (state != 'Z' && state != 'X') return true;
  // The first thread may be a zombie while others still run.
  constexpr int kBetween = 14;  // session to nice, before num_threads
  long threads = 0;
  std::string skipped;
  for (int field = 0; field < kBetween; ++field) fields >> skipped;
  fields >> threads;
  return threads > 1;
}

}  // namespace

bool group_lives(pid_t group) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry->path() / "stat");
    std::string stat;  // empty if the process is gone by now
    std::getline(file, stat, '\0');
    if (lives_in(stat, group)) return true;
  }
  return false;
}

}  // namespace ludens::server
