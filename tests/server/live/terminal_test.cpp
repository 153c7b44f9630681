// SPDX-License-Identifier: MIT
#include "server/live/terminal.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/server/live/pseudo_terminal.h"

namespace ludens::server {
namespace {

const std::string kEntered = "\x1b[?1049h";
const std::string kHidden = "\x1b[?25l";
const std::string kShown = "\x1b[?25h";
const std::string kLeft = "\x1b[?1049l";

bool shows(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Terminal, TakesTheScreenAndGivesItBack) {
  const PseudoTerminal pseudo(80, 24);
  ASSERT_GE(pseudo.file(), 0);
  {
    Terminal terminal(pseudo.file());
    const std::string entered = pseudo.written();
    EXPECT_TRUE(shows(entered, kEntered));
    EXPECT_TRUE(shows(entered, kHidden));
    terminal.draw({"one", "two"});
    const std::string drawn = pseudo.written();
    EXPECT_TRUE(shows(drawn, "one"));
    EXPECT_TRUE(shows(drawn, "two"));
    EXPECT_FALSE(shows(drawn, kLeft));
  }
  const std::string left = pseudo.written();
  EXPECT_TRUE(shows(left, kShown));
  EXPECT_TRUE(shows(left, kLeft));
}

TEST(Terminal, DrawsNothingWhenItHasLeft) {
  const PseudoTerminal pseudo(80, 24);
  Terminal terminal(pseudo.file());
  terminal.leave();
  EXPECT_TRUE(shows(pseudo.written(), kLeft));
  terminal.leave();
  terminal.draw({"late"});
  EXPECT_EQ(pseudo.written(), "");
}

TEST(Terminal, FollowsTheSizeOfTheWindow) {
  const PseudoTerminal pseudo(97, 31);
  const Terminal terminal(pseudo.file());
  EXPECT_EQ(terminal.shape().columns, 97u);
  EXPECT_EQ(terminal.shape().rows, 31u);
  const struct winsize size = {12, 40, 0, 0};
  ::ioctl(pseudo.file(), TIOCSWINSZ, &size);
  EXPECT_EQ(terminal.shape().columns, 40u);
  EXPECT_EQ(terminal.shape().rows, 12u);
}

class DyingBy : public testing::TestWithParam<int> {};

TEST_P(DyingBy, ASignalGivesTheScreenBack) {
  const PseudoTerminal pseudo(80, 24);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const struct rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(GetParam(), SIG_DFL);  // started by nohup or in the background it may be ignored
    const Terminal terminal(pseudo.file());
    ::raise(GetParam());
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the signal still does what it does";
  EXPECT_EQ(WTERMSIG(status), GetParam());
  const std::string written = pseudo.written();
  EXPECT_TRUE(shows(written, kEntered));
  EXPECT_TRUE(shows(written, kShown));
  EXPECT_TRUE(shows(written, kLeft));
}

INSTANTIATE_TEST_SUITE_P(Deadly, DyingBy, testing::Values(SIGABRT, SIGHUP, SIGQUIT));

TEST(Terminal, LeavesSignalsAsTheyWere) {
  struct sigaction before = {}, after = {};
  ::sigaction(SIGABRT, nullptr, &before);
  {
    const PseudoTerminal pseudo(80, 24);
    const Terminal terminal(pseudo.file());
  }
  ::sigaction(SIGABRT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace ludens::server
