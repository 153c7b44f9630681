// SPDX-License-Identifier: MIT
// `ludens conform GAMES TRACES`: a machine against recorded playouts.
#pragma once

#include <string>

namespace ludens::server {

struct ConformOptions {
  std::string games, traces;  // folders
  std::string machine = "auto";
  std::string only;      // regular expression on the key; empty: all
  unsigned threads = 0;  // 0: one for each processor
  bool json = false;
};

/// Replays every `TRACES/KEY.jsonl.gz` on `GAMES/KEY.kif` or `KEY.hrf`, sub-folders
/// included. 1 on any disagreement, 3 if something can't be read.
int conform_command(const ConformOptions& options);

}  // namespace ludens::server
