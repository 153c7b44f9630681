// SPDX-License-Identifier: MIT
#include "server/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <regex>
#include <string>
#include <thread>

#include "tests/server/cli/pseudo_terminal.h"

namespace ludens::server {
namespace {

using std::chrono::milliseconds;

class ProgressLineOnTerminal : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
  void TearDown() override { ::unsetenv("NO_COLOR"); }
  /// What is written, until it has `text` in it.
  std::string written_until(const std::string& text) {
    std::string written;
    for (int i = 0; i < 5000 && written.find(text) == std::string::npos; ++i) {
      written += terminal_.written();
      std::this_thread::sleep_for(milliseconds(2));
    }
    return written;
  }
  PseudoTerminal terminal_{40, 24};
};

TEST_F(ProgressLineOnTerminal, RewritesItselfAndGoesAway) {
  std::atomic<int> calls{0};
  {
    const ProgressLine line(terminal_.file(), milliseconds(0),
                            [&] { return "step " + std::to_string(++calls); });
    const std::string written = written_until("step 3");
    EXPECT_TRUE(std::regex_search(
        written, std::regex("^\r\x1b\\[K\x1b\\[2m\\d+:\\d\\d  step 1\x1b\\[0m\r\x1b\\[K")))
        << written;
    EXPECT_EQ(written.find('\n'), std::string::npos);
  }
  EXPECT_THAT(terminal_.written(), testing::EndsWith("\r\x1b[K"));
}

TEST_F(ProgressLineOnTerminal, FitsIntoOneLine) {
  const ProgressLine line(terminal_.file(), milliseconds(0), [] { return std::string(99, 'x'); });
  const std::string written = written_until("…");
  EXPECT_TRUE(std::regex_search(written, std::regex("m\\d:\\d\\d  x{32}…"))) << written;
}

TEST_F(ProgressLineOnTerminal, IsAwayWhileOthersPrint) {
  ProgressLine line(terminal_.file(), milliseconds(0), [] { return "busy"; });
  written_until("busy");
  line.print([&] {
    (void)terminal_.written();
    std::this_thread::sleep_for(milliseconds(300));  // longer than from one picture to the next
    EXPECT_EQ(terminal_.written(), "");
  });
  EXPECT_NE(written_until("busy"), "");
}

TEST_F(ProgressLineOnTerminal, HasNoColourWhereNoneIsWanted) {
  ::setenv("NO_COLOR", "1", 1);
  const ProgressLine line(terminal_.file(), milliseconds(0), [] { return "busy"; });
  const std::string written = written_until("busy");
  EXPECT_TRUE(std::regex_search(written, std::regex("\r\x1b\\[K\\d:\\d\\d  busy$"))) << written;
  EXPECT_EQ(painted(terminal_.file(), "good", Style::Good), "good");
}

TEST_F(ProgressLineOnTerminal, ComesOnlyWhenItTakesLong) {
  {
    const ProgressLine line(terminal_.file(), milliseconds(60'000), [] { return "busy"; });
  }
  EXPECT_EQ(terminal_.written(), "");
}

TEST_F(ProgressLineOnTerminal, IsNotForADumbOne) {
  EXPECT_TRUE(is_terminal(terminal_.file()));
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(is_terminal(terminal_.file()));
}

TEST_F(ProgressLineOnTerminal, IsAsWideAsTheWindow) {
  EXPECT_EQ(terminal_columns(terminal_.file()), 40u);
  const struct winsize size = {12, 97, 0, 0};
  ::ioctl(terminal_.file(), TIOCSWINSZ, &size);
  EXPECT_EQ(terminal_columns(terminal_.file()), 97u);
}

TEST(Duration, IsWrittenAsClocksDo) {
  EXPECT_EQ(duration_text(7'900), "0:07");
  EXPECT_EQ(duration_text(761'000), "12:41");
  EXPECT_EQ(duration_text(11'100'000), "3:05:00");
}

TEST(ProgressLine, WritesNothingToAFile) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    ProgressLine line(ends[1], milliseconds(0), [] { return "busy"; });
    bool printed = false;
    line.print([&] { printed = true; });
    EXPECT_TRUE(printed);
    std::this_thread::sleep_for(milliseconds(20));
  }
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
  EXPECT_EQ(painted(ends[0], "good", Style::Good), "good");
}

}  // namespace
}  // namespace ludens::server
