// SPDX-License-Identifier: MIT
// A player that is started by a command.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/tournament/captured_output.h"

namespace ludens::server {

/// The placeholder for the port in the command of a player.
inline constexpr std::string_view kPortPlace = "{port}";

/// `/bin/sh` runs the command, whatever a shell understands, in a separate session, with nothing on
/// standard input and its output captured in the log file. It and everything that it starts in its
/// process group ends with this object; with the thread that started it, so that threads that start
/// players must live as long as the players are needed; and with the program, however that ends: a
/// small process watches it.
class PlayerProcess {
 public:
  /// `kPortPlace` in `command` stands for `port`.
  /// After a stop request by `hurry`, it gets less time to end.
  PlayerProcess(const std::string& command, std::uint16_t port, std::filesystem::path log,
                std::stop_token hurry = {});
  /// Ends its process group: all in it are asked to end, and those that still run after two
  /// seconds, or 0.8 s in a hurry, are killed.
  ~PlayerProcess();
  PlayerProcess(const PlayerProcess&) = delete;
  PlayerProcess& operator=(const PlayerProcess&) = delete;

  /// What went wrong, if it could not be started.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  /// Whether the shell does, which waits for the player unless the command says otherwise.
  [[nodiscard]] bool runs();
  /// Begins what the destructor does. Several processes that are asked first end at the same time.
  void ask_to_end();
  /// How it ended, and where its output is.
  [[nodiscard]] std::string obituary() const;

 private:
  void start(const std::string& line);
  void watch_over();
  void end();

  std::filesystem::path log_;
  CapturedOutput output_;
  std::optional<std::string> problem_;
  std::stop_token hurry_;
  pid_t pid_ = -1;
  std::optional<siginfo_t> ended_;  // how it ended, once it has; until `end` it is not reaped, so
                                    // that no other process gets its id
  std::optional<std::chrono::steady_clock::time_point> asked_;  // when it was asked to end
  pid_t watcher_ = -1;
  int lifeline_ = -1;  // of the watcher: ends with this process at the latest
};

/// A port of this machine on which no process listens now; 0 if there is none.
std::uint16_t free_port();

}  // namespace ludens::server
