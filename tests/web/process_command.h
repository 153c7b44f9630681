// SPDX-License-Identifier: MIT
// How the tests find the processes of a browser.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ludens::server {

/// The arguments of a process, each ended by a zero byte. `process` is its folder in /proc; nothing
/// if it is gone by now.
inline std::string command_of(const std::filesystem::path& process) {
  std::ostringstream words;
  words << std::ifstream(process / "cmdline", std::ios::binary).rdbuf();
  return words.str();
}

}  // namespace ludens::server
