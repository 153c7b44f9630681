// SPDX-License-Identifier: MIT
// Browsers that listen and do not answer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <semaphore>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "server/browser/browser.h"
#include "tests/server/crooked_server.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

class BrowserStart : public testing::Test {
 protected:
  /// A program that says where it listens, as Chromium does, and waits to be killed.
  std::string listening_at(const std::string& port) {
    const std::filesystem::path file = folder_.path() / "chromium";
    std::ofstream(file) << "#!/bin/sh\n"
                           "for word; do\n"
                           "  case $word in\n"
                           "    --user-data-dir=*) folder=${word#*=} ;;\n"
                           "  esac\n"
                           "done\n"
                           "echo " +
                               port +
                               " > \"$folder/DevToolsActivePort\"\n"
                               "exec sleep 100000\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

  /// How the start ends if it is stopped after so many answers.
  std::string stopped_after(int answers) {
    std::binary_semaphore silent{0}, over{0};
    CrookedServer server([&](boost::asio::ip::tcp::socket& socket) {
      if (answers-- > 0) {
        send_bytes(socket, http_reply(R"([{"type":"page","webSocketDebuggerUrl":"ws://x/page"}])"));
        return;
      }
      silent.release();
      over.acquire();
    });
    std::stop_source stop;
    std::string problem;
    std::jthread starting([&] {
      try {
        const Browser browser(listening_at(std::to_string(server.address().port)),
                              stop.get_token());
      } catch (const std::runtime_error& error) {
        problem = error.what();
      }
    });
    silent.acquire();
    stop.request_stop();
    starting.join();
    over.release();
    return problem;
  }

 private:
  const ScratchFolder folder_;
};

TEST_F(BrowserStart, IsStoppedWhileItWaitsForThePage) {
  EXPECT_EQ(stopped_after(0), "the browser is not needed any more");
}

TEST_F(BrowserStart, IsStoppedWhileThePageSaysNothing) {
  EXPECT_EQ(stopped_after(1), "the browser is not needed any more");
}

}  // namespace
}  // namespace ludens::server
