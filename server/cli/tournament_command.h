// SPDX-License-Identifier: MIT
// `ludens tournament`: runs or resumes a tournament, or a part of it; joins the parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ludens::server {

struct TournamentCommandOptions {
  std::string file;             // may be empty where parts are joined
  std::string out;              // folder of log and records; empty: as the file says
  std::size_t concurrency = 0;  // 0: as the file says
  bool resume = false;
  std::string shard;               // I/N; empty: all of it
  std::vector<std::string> merge;  // folders of the parts; empty: play
  int watch = -1;                  // port of the page that follows; 0: a free one; -1: none
  bool json = false;
  bool csv = false;  // the standings as a table of comma-separated values
};

/// The standings to standard output (with `json` a line for each match first), the rest to standard
/// error. 0: all was played; 1: interrupted; 2: wrong use; 3: it could not start, or not go on.
int tournament_command(const TournamentCommandOptions& options);

}  // namespace ludens::server
