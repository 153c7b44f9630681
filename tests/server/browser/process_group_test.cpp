// SPDX-License-Identifier: MIT
// Which groups of processes count as gone.
#include "server/browser/process_group.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ludens::server {
namespace {

/// A child that leads a group of its own and sleeps; killed and reaped in the end.
class Sleeper {
 public:
  Sleeper() : pid_(::fork()) {
    if (pid_ == 0) {
      for (;;) ::pause();
    }
    ::setpgid(pid_, pid_);
  }
  ~Sleeper() {
    if (!reaped_) kill();
    reap();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Returns when it is a zombie.
  void kill() const {
    ::kill(pid_, SIGKILL);
    siginfo_t info;
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  void reap() {
    if (!reaped_) ::waitpid(pid_, nullptr, 0);
    reaped_ = true;
  }

 private:
  const pid_t pid_;
  bool reaped_ = false;
};

TEST(ProcessGroup, LivesWithAProcess) {
  const Sleeper sleeper;
  EXPECT_TRUE(group_lives(sleeper.pid()));
}

TEST(ProcessGroup, OfZombiesDoesNotLive) {
  Sleeper sleeper;
  sleeper.kill();
  EXPECT_EQ(::kill(-sleeper.pid(), 0), 0);
  EXPECT_FALSE(group_lives(sleeper.pid()));
  sleeper.reap();
  EXPECT_FALSE(group_lives(sleeper.pid()));
}

}  // namespace
}  // namespace ludens::server
