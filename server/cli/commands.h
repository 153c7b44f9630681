// SPDX-License-Identifier: MIT
// Every command with its options.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace ludens::server {

/// The command that was chosen, ready to run once all options are known; it returns the exit code.
using Chosen = std::function<int()>;

/// Declares all commands. Parsing the command line sets `chosen`, which must outlive `app`.
void add_commands(CLI::App& app, Chosen& chosen);

}  // namespace ludens::server
