// `ludens replay`: do the rules allow what a record tells?
#pragma once

#include <string>

namespace ludens::server {

struct ReplayOptions {
  std::string record;   // a JSON record, an archive of JSON lines, an XML document or their folder
  std::string game;     // where the record does not hold its rulesheet; empty: as recorded
  bool boards = false;  // draw every position
  bool json = false;
};

/// 0 if every match agrees with its rules, and no player got less than it had proved; else 1.
int replay_command(const ReplayOptions& options);

}  // namespace ludens::server
