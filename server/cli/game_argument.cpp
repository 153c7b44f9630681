// SPDX-License-Identifier: MIT
#include "server/cli/game_argument.h"

#include <unistd.h>

#include <iostream>

#include "gdl/text/printable.h"
#include "server/cli/diagnostic_lines.h"
#include "server/cli/exit_code.h"
#include "server/game/bundled_games.h"

namespace ludens::server {

namespace {

constexpr std::size_t kMaxErrorsShown = 20;

void show_errors(const Rulesheet& sheet) {
  gdl::Diagnostics errors = sheet.diagnostics;
  std::erase_if(errors, [](const auto& d) { return d.severity != gdl::Severity::Error; });
  print_diagnostics(std::cerr, STDERR_FILENO, errors, sheet.file, kMaxErrorsShown,
                    "ludens check shows them");
}

enum class OnError { Refuse, Study, Play };

/// `advice`: what plays a rulesheet that is refused for its errors.
gdl::Result<Rulesheet, Failure> load(const std::string& game, const gdl::StopSignal* stop,
                                     OnError on_error, const std::string& advice = {}) {
  auto loaded = load_game(game, stop);
  if (!loaded) {
    std::cerr << "ludens: " << gdl::printable(loaded.error().text) << "\n";
    return Failure{kCouldNot};
  }
  Rulesheet& sheet = *loaded;
  const auto refuse = [&](const std::string& why) {
    std::cerr << "ludens: " << gdl::printable(sheet.file) << ": " << why << "\n";
    return Failure{kNotGood};
  };
  if (gdl::has_error(sheet.diagnostics)) {
    show_errors(sheet);
    if (on_error == OnError::Refuse) {
      return refuse("the rulesheet has errors; " + advice + " plays it anyway");
    }
    if (on_error == OnError::Study && sheet.torn)
      return refuse("the text can't be read as a whole");
  }
  if (sheet.rules->roles.empty()) return refuse("there are no roles to play");
  if (const auto why = why_not_played(sheet); why && on_error != OnError::Study) {
    return refuse(*why);
  }
  return std::move(sheet);
}

}  // namespace

gdl::Result<Rulesheet, Failure> load_playable(const std::string& game,
                                              const gdl::StopSignal* stop) {
  return load(game, stop, OnError::Refuse, "`ludens match --force`");
}

gdl::Result<Rulesheet, Failure> load_playable(const std::string& game, bool forced,
                                              const gdl::StopSignal* stop) {
  return load(game, stop, forced ? OnError::Play : OnError::Refuse, "--force");
}

gdl::Result<Rulesheet, Failure> load_for_study(const std::string& game,
                                               const gdl::StopSignal* stop) {
  return load(game, stop, OnError::Study);
}

}  // namespace ludens::server
