// SPDX-License-Identifier: MIT
// Runs an I/O context so that exceptions of handlers don't end the process, and posts work to it
// from code that must not throw. Posts work to a thread beside it, where nothing may throw.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

namespace ludens::server {

/// Runs the context until it has nothing to do or is stopped. An exception ends only its handler:
/// `failed` is called with the reason and the context continues. If memory ran out, `failed` may
/// throw, too; it is called again a little later, when there may be some again.
void run_guarded(boost::asio::io_context& context,
                 const std::function<void(const char* why)>& failed);

/// Posts a function to the context. If memory runs out, it retries until there is some, which suits
/// callers that must not throw: callbacks of stop tokens, destructors. Any thread; `function` can
/// be copied.
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

/// Posts a function to a thread in which nothing is caught, so that it must not throw, and neither
/// must moving it: a captured copy of something const would be copied instead.
template <class Function>
void post_aside(boost::asio::thread_pool& thread, Function function) {
  static_assert(std::is_nothrow_move_constructible_v<Function>);
  boost::asio::post(thread, std::move(function));
}

}  // namespace ludens::server
