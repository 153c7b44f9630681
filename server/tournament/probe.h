// SPDX-License-Identifier: MIT
// Does a player respond? One INFO shows it.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/http/client.h"

namespace ludens::server {

struct ProbeResult {
  bool there = false;
  bool busy = false;    // with someone else's match
  std::string problem;  // why it does not respond
};

/// Whether a reply to INFO says that the player is busy: by its status or, without one, as the word
/// alone. The name may contain anything.
bool says_busy(std::string_view reply);

/// Sends INFO and waits on the calling thread. Any HTTP reply shows that a player is there: players
/// older than INFO answer with anything.
ProbeResult probe(const Address& address, std::chrono::milliseconds limit,
                  const std::stop_token& stop);

}  // namespace ludens::server
