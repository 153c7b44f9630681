// SPDX-License-Identifier: MIT
// `ludens serve`: the GGP player, until it is told to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct ServeOptions {
  std::uint16_t port = 9147;  // 0: a free one
  std::string bind = "127.0.0.1";
  std::string name = "Ludens";
  std::string strategy = "auto";
  unsigned threads = 0;  // 0: one for each processor
  std::size_t memory_mb = 2048;
  int margin_ms = 1000;
  unsigned matches = 1;
  bool ponder = true;
  std::string journal;  // folder; empty: the one of `journal_folder`; "off": none
  int watch = -1;       // port of the page that follows the matches; 0: a free one; -1: none
  std::string log;      // file; empty: standard error
  bool verbose = false;
  bool json = false;

  // Limits of a request.
  std::size_t body_mb = 16;
  std::size_t head_kb = 64;
  std::size_t connections = 128;
  double request_seconds = 10;

  // Who may do what.
  std::vector<std::string> allow;    // addresses and networks; none: everybody
  unsigned peer_matches = 0;         // of one address; 0: three quarters of `matches`
  std::size_t peer_connections = 0;  // of one address; 0: three quarters of `connections`
  double peer_rate = 2000;           // connections of one address a second; 0: any
  bool pin_hosts = false;            // a match belongs to the address of its START
  std::string gamemaster;            // origin whose page may play through it; empty: none

  std::string version;  // for the page
};

/// Serves until SIGINT, SIGTERM or SIGQUIT, at which running replies are given within a second; a
/// second signal does not wait for them. SIGHUP opens the log file anew. Exit codes as everywhere.
int serve_command(const ServeOptions& options);

/// Where journals are kept, a folder a port: `ludens/journal` in the user's folder for state (XDG
/// base directories); empty if the user has no such folder.
std::string journal_folder();

/// `ludens` in the user's folder for state; empty if the user has no such folder.
std::string state_folder();

}  // namespace ludens::server
