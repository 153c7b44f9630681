// SPDX-License-Identifier: MIT
#include "server/http/io_thread.h"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <thread>

namespace ludens::server {
namespace {

constexpr std::chrono::milliseconds kPause{10};

void tell(const std::function<void(const char*)>& failed, const char* why) {
  for (;;) {
    try {
      return failed(why);
    } catch (...) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

void run_guarded(boost::asio::io_context& context,
                 const std::function<void(const char* why)>& failed) {
  for (;;) {
    try {
      context.run();
      return;
    } catch (const std::exception& exception) {
      tell(failed, exception.what());
    } catch (...) {
      tell(failed, "an exception of unknown type");
    }
  }
}

}  // namespace ludens::server
