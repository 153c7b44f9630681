// SPDX-License-Identifier: MIT
// What the log says of a match, besides the messages.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "agent/runtime/game_thread.h"
#include "agent/thread/line.h"
#include "agent/thread/worker.h"
#include "gdl/memory/limits.h"

namespace ludens::agent {

/// An untrusted text for a log line: control characters replaced, cut at a length.
std::string printable(std::string_view text, std::size_t length = 80);

void log_flaw(spdlog::logger& log, std::string_view match, const gdl::Flaw& flaw);

/// The goals with which a match ended.
void log_end(spdlog::logger& log, std::string_view match, const FinalReport& report);

/// Checks the rules in a separate thread, which is returned and ends by itself. Findings up to the
/// stop, or up to the end of time or memory, are logged from the I/O thread.
std::unique_ptr<Worker> log_findings(std::shared_ptr<spdlog::logger> log, std::string match,
                                     gdl::NormalisedRules rules,
                                     std::shared_ptr<gdl::MemoryBudget> memory,
                                     std::stop_token stop, std::shared_ptr<Line> line);

}  // namespace ludens::agent
