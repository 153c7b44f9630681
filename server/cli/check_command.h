// `ludens check GAME...`: what is wrong with rulesheets.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

struct CheckOptions {
  std::vector<std::string> games;  // paths, or names of bundled games
  bool json = false;
};

/// All diagnostics of all games to standard output, one a line. 1 if one of them is an error, 3 if
/// a game can't be read; the others are checked all the same.
int check_command(const CheckOptions& options);

}  // namespace ludens::server
