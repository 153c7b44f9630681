// SPDX-License-Identifier: MIT
#include "server/cli/open_page.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace ludens::server {

namespace {

bool has_desktop() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

}  // namespace

/// Does not wait for the browser: it may be the first one of the session, and keep running.
bool open_in_browser(const std::string& url) {
  if (!has_desktop()) return false;
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {0, 1, 2}) {
    posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_addclosefrom_np(&streams, STDERR_FILENO + 1);  // our ports
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // Ctrl-C must reach only this program
  std::string program = "xdg-open", address = url;
  const std::array<char*, 3> arguments{program.data(), address.data(), nullptr};
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, program.c_str(), &streams, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  posix_spawnattr_destroy(&attributes);
  return error == 0;
}

}  // namespace ludens::server
