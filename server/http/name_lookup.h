// SPDX-License-Identifier: MIT
// The addresses of a name, looked up without holding anything up.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Numeric addresses, the best first.
using NumericAddresses = std::vector<std::string>;

/// Returns the addresses of a name. May take any time, and throws if there are none.
using LookUp = std::function<NumericAddresses(const std::string& name)>;

/// Asks the system's resolver, which may wait for a server for half a minute.
NumericAddresses system_look_up(const std::string& name);

/// What was found; if there are no addresses, `problem` says why.
struct FoundAddresses {
  NumericAddresses addresses;
  std::string problem;
};

/// Looks a name up in a thread of its own, and calls `found` on the thread that runs `context`.
/// Nothing waits for that thread: neither other lookups nor the destruction of the context, after
/// which `found` is not called. Throws if the system has no more threads.
void look_up_aside(boost::asio::io_context& context, LookUp look_up, std::string name,
                   std::function<void(FoundAddresses)> found);

}  // namespace ludens::server
