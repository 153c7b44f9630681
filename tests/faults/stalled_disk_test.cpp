// SPDX-License-Identifier: MIT
// A player whose disk does not come back from one kind of call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "server/compliance/peer.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/server/heap_game.h"
#include "tests/server/scratch_folder.h"

namespace ludens::faults {
namespace {

using namespace std::chrono_literals;

class StalledDisk : public testing::TestWithParam<const char*> {
 protected:
  std::string ask(const std::string& message) {
    // The call never returns: an answer that waits for it does not come at all.
    const server::Talk talk = peer_.ask(message, 300s);
    EXPECT_TRUE(talk.done);
    return talk.result.body;
  }

  server::ScratchFolder folder_;
  // LD_PRELOAD is a list with spaces between, which the build's folder may have in its name.
  const std::filesystem::path library_ = [this] {
    auto link = folder_.path() / "faults.so";
    std::filesystem::create_symlink(LUDENS_FAULTS_LIBRARY, link);
    return link;
  }();
  server::ServeProcess serve_{{"--journal", folder_.path() / "journal", "--log",
                               folder_.path() / "log", "--strategy", "legal"},
                              {"/usr/bin/env", "LD_PRELOAD=" + library_.string(),
                               std::string("LUDENS_FAULTS=stall:call=") + GetParam()}};
  server::Peer peer_{{"127.0.0.1", serve_.port()}};
};

TEST_P(StalledDisk, HoldsUpNeitherMovesNorTheEnd) {
  const std::string rules = std::string("( ") + kHeapGame + " )";
  EXPECT_THAT(ask("( START m white " + rules + " 60 60 )"), testing::HasSubstr("ready"));
  EXPECT_THAT(ask("( PLAY m NIL )"), testing::HasSubstr("take"));
  EXPECT_THAT(ask("( PLAY m ( ( take 1 ) noop ) )"), testing::HasSubstr("noop"));
  EXPECT_THAT(ask("( ABORT m )"), testing::HasSubstr("aborted"));
  EXPECT_THAT(ask("( START m white " + rules + " 60 60 )"), testing::HasSubstr("ready"));
  EXPECT_THAT(ask("( PLAY m NIL )"), testing::HasSubstr("take"));
  serve_.process().signal(SIGHUP);
  serve_.process().signal(SIGTERM);
  EXPECT_EQ(serve_.process().wait(), 0) << serve_.process().errors();
}

INSTANTIATE_TEST_SUITE_P(In, StalledDisk, testing::Values("open", "write", "rename", "unlink"),
                         [](const auto& call) { return std::string(call.param); });

}  // namespace
}  // namespace ludens::faults
