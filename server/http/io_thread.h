// SPDX-License-Identifier: MIT
// Running an I/O context so that nothing thrown by a handler ends the process, and giving it work
// from where nothing may be thrown.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <functional>
#include <new>
#include <thread>

namespace ludens::server {

/// Runs the context until it has nothing to do or is stopped. What a handler throws ends that
/// handler alone: `failed` is told why and the context runs on. Memory that ran out may make
/// `failed` throw, too; it is called again a little later, when some may have come back.
void run_guarded(boost::asio::io_context& context,
                 const std::function<void(const char* why)>& failed);

/// Posts a function to the context. Where memory runs out it tries again until there is some, which
/// suits callers that must not throw: callbacks of stop tokens, destructors. Any thread; `function`
/// can be copied.
template <class Function>
void post_surely(boost::asio::io_context& context, Function function) noexcept {
  for (;;) {
    try {
      boost::asio::post(context, function);
      return;
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

}  // namespace ludens::server
