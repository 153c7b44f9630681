// SPDX-License-Identifier: MIT
#include "server/live/screen.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "tests/server/live/pseudo_terminal.h"

namespace ludens::server {
namespace {

/// An environment variable for the time of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Screen, NeedsATerminalThatIsNotDumb) {
  const PseudoTerminal pseudo(80, 24);
  const Environment xterm("TERM", "xterm");
  EXPECT_TRUE(is_screen(pseudo.file()));
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(::pipe(pipe_ends.data()), 0);
  EXPECT_FALSE(is_screen(pipe_ends[1]));
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  const Environment dumb("TERM", "dumb");
  EXPECT_FALSE(is_screen(pseudo.file()));
}

TEST(Screen, HonoursNoColor) {
  const PseudoTerminal pseudo(80, 24);
  {
    const Environment none("NO_COLOR", nullptr);
    EXPECT_TRUE(screen_shape(pseudo.file()).colour);
  }
  {
    const Environment empty("NO_COLOR", "");
    EXPECT_TRUE(wants_colour());
  }
  const Environment set("NO_COLOR", "1");
  EXPECT_FALSE(screen_shape(pseudo.file()).colour);
}

}  // namespace
}  // namespace ludens::server
