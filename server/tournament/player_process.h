// A player that is started by a command.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace ludens::server {

/// The command runs by `/bin/sh` as a process group of its own, with nothing on standard input and
/// its output behind what the log file has. The whole group is ended with this object, and with the
/// thread that started it: threads that start players must live as long as these are wanted.
class PlayerProcess {
 public:
  /// `{port}` in `command` stands for `port`.
  PlayerProcess(const std::string& command, std::uint16_t port, std::filesystem::path log);
  ~PlayerProcess();
  PlayerProcess(const PlayerProcess&) = delete;
  PlayerProcess& operator=(const PlayerProcess&) = delete;

  /// What went wrong, if it could not be started.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  [[nodiscard]] bool runs();
  /// How it ended, and where its output is.
  [[nodiscard]] std::string obituary() const;

 private:
  void end();

  std::filesystem::path log_;
  std::optional<std::string> problem_;
  pid_t pid_ = -1;
  std::optional<int> status_;  // of waitpid, once it has ended
};

/// A port of this machine that nobody listens on now; 0 if there is none.
std::uint16_t free_port();

}  // namespace ludens::server
