// SPDX-License-Identifier: MIT
// Commands with several threads, of which one can't be had or has no memory.
#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <semaphore>
#include <string>

#include "server/cli/commands.h"
#include "server/cli/terminal.h"
#include "tests/faults/failing_calls.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/cli/pseudo_terminal.h"

namespace ludens::faults {
namespace {

server::CommandRun count_paths() {
  return server::run_command({"perft", "tic_tac_toe", "2", "--threads", "3"});
}

TEST(FailingCommands, PerftGoesOnWithTheThreadsThatThereAre) {
  const server::CommandRun all = count_paths();
  ASSERT_EQ(all.code, 0) << all.err;
  for (std::uint64_t number = 1; number <= 6; ++number) {  // that of signals is one of them
    const FailingCall failing(FailingCall::Kind::Thread, number);
    const server::CommandRun fewer = count_paths();
    EXPECT_TRUE(failing.happened());
    EXPECT_EQ(fewer.code, 0) << fewer.err;
    EXPECT_EQ(fewer.out, all.out);
  }
}

TEST(FailingCommands, PerftEndsWhereAThreadHasNoMemory) {
  server::PerftOptions options;
  options.game = "tic_tac_toe";
  options.threads = 3;
  const MemoryOfOneThread mine;
  EXPECT_THROW(server::perft_command(options), std::bad_alloc);
}

TEST(FailingCommands, SpeedEndsWhereAThreadHasNoMemory) {
  server::SpeedOptions options;
  options.games = {"tic_tac_toe"};
  options.seconds = 0.01;
  options.threads = 2;
  const MemoryOfOneThread mine;
  EXPECT_THROW(server::speed_command(options), std::bad_alloc);
}

TEST(FailingCommands, LeaveOutALineOfProgressWithoutMemory) {
  const server::PseudoTerminal terminal(40, 10);
  ASSERT_GE(terminal.file(), 0);
  std::counting_semaphore<> asked{0};
  const MemoryOfOneThread mine;
  const server::ProgressLine line(terminal.file(), std::chrono::milliseconds(0), [&asked] {
    asked.release();
    return std::string(1000, 'x');
  });
  for (int lines = 0; lines < 2; ++lines) asked.acquire();
}

}  // namespace
}  // namespace ludens::faults
