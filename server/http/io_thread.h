// Running an I/O context so that nothing thrown by a handler ends the process.
#pragma once

#include <functional>

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Runs the context until it has nothing to do or is stopped. What a handler throws ends that
/// handler alone: `failed` is told why and the context runs on. Memory that ran out may make
/// `failed` throw, too; it is called again a little later, when some may have come back.
void run_guarded(boost::asio::io_context& context,
                 const std::function<void(const char* why)>& failed);

}  // namespace ludens::server
