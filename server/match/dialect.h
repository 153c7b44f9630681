// SPDX-License-Identifier: MIT
// How long hosts wait, and how their messages look: the families of GGP hosts.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "server/http/client.h"
#include "server/player/protocol.h"

namespace ludens::server {

/// `ggp`: ggp-base and what is built on it. `dresden`: the Dresden GameController of 2013;
/// `dresden-2011`: the version before, which sends percepts without a turn and without the own
/// move.
struct HostDialect {
  std::string_view name;
  Dialect headers;
  bool upper_case;  // whether everything on the wire is upper case
  bool has_preview_and_abort;
  bool replaces_at_random;  // otherwise by the first legal move
  std::chrono::milliseconds connect_limit;
  std::chrono::milliseconds start_slack;  // beyond the clock
  std::chrono::milliseconds play_slack;
  PerceptForm percepts;  // ggp-base has no games with hidden information: like Dresden
};

extern const HostDialect kGgpDialect;
extern const HostDialect kDresdenDialect;
extern const HostDialect kDresden2011Dialect;

/// All of them; the first is the default.
std::span<const std::string_view> dialect_names();

/// Null for an unknown name.
const HostDialect* find_dialect(std::string_view name);

/// A message as the dialect writes it.
std::string in_dialect(const HostDialect& dialect, std::string message);

}  // namespace ludens::server
