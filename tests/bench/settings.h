// SPDX-License-Identifier: MIT
// The arguments of a benchmark: games, and settings of the form key=value.
#pragma once

#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace ludens {

/// Sorts the arguments into games and settings: calls set(value, text) for a key of `settings`.
/// False, after a line on standard error, if there is an unknown key or no game.
template <typename Value, typename Set>
bool read_arguments(int count, char** arguments, std::vector<std::string>& games,
                    std::map<std::string, Value>& settings, Set&& set) {
  for (int i = 1; i < count; ++i) {
    const std::string text = arguments[i];
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
      games.push_back(text);
    } else if (settings.contains(text.substr(0, equals))) {
      set(settings[text.substr(0, equals)], text.substr(equals + 1));
    } else {
      std::cerr << "unknown setting " << text << '\n';
      return false;
    }
  }
  if (!games.empty()) return true;
  const std::string program = arguments[0];
  std::cerr << "usage: " << program.substr(program.rfind('/') + 1)
            << " GAME.kif... [key=value...]\n";
  return false;
}

}  // namespace ludens
