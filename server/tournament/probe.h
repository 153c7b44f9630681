// SPDX-License-Identifier: MIT
// Is a player there? One INFO tells.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "server/http/client.h"

namespace ludens::server {

struct ProbeResult {
  bool there = false;
  bool busy = false;    // with a match of somebody else
  std::string problem;  // why it is not there
};

/// Sends INFO and waits on the calling thread. Whatever comes as HTTP shows that somebody is there:
/// players older than INFO answer with anything.
ProbeResult probe(const Address& address, std::chrono::milliseconds limit,
                  const std::stop_token& stop);

}  // namespace ludens::server
