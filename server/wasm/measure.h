// SPDX-License-Identifier: MIT
// Measures how fast the program is in its environment.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <string>

namespace ludens::server::wasm {

/// Measures the game with these rules on a machine of that name (gdl/registry), each figure for
/// this time, or longer if that is too short:
/// {"ready_ms","machine","gates","lanes","generated","playouts_per_s","steps_per_s",
/// "iterations_per_s"}; `ready` is from the text to the machine, `generated` whether it runs
/// generated code, iterations are those of `mcts`. {"problem"} if there is no such machine.
boost::json::object measure(const std::string& rules, const std::string& machine,
                            std::chrono::milliseconds time, std::size_t memory_bytes);

}  // namespace ludens::server::wasm
