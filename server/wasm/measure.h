// SPDX-License-Identifier: MIT
// How fast the program is where it runs.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <string>

namespace ludens::server::wasm {

/// Of the game whose rules these are on a machine of that name (gdl/registry), each measured that
/// long, or longer where that is too short for any:
/// {"ready_ms","machine","gates","lanes","generated","playouts_per_s","steps_per_s",
/// "iterations_per_s"}; `ready` is from the text to the machine, `generated` whether it runs
/// generated code, iterations are those of `mcts`. {"problem"} where there is no such machine.
boost::json::object measure(const std::string& rules, const std::string& machine,
                            std::chrono::milliseconds time, std::size_t memory_bytes);

}  // namespace ludens::server::wasm
