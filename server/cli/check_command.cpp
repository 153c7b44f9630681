// SPDX-License-Identifier: MIT
// `ludens check GAME...`: what is wrong with rulesheets.
#include "server/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>

#include "server/cli/diagnostic_lines.h"
#include "server/cli/exit_code.h"
#include "server/cli/terminal.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

namespace {

void print_json(const gdl::Diagnostic& d, const std::string& file) {
  boost::json::object line{{"file", file},
                           {"line", d.where.line},
                           {"column", d.where.column},
                           {"severity", gdl::to_string(d.severity)},
                           {"code", d.code},
                           {"text", d.text},
                           {"form", d.where.form}};
  std::cout << boost::json::serialize(line) << '\n';
}

void print(const gdl::Diagnostics& diagnostics, const std::string& file,
           const CheckOptions& options) {
  if (options.json) {
    for (const gdl::Diagnostic& d : diagnostics) print_json(d, file);
  } else {
    print_diagnostics(std::cout, STDOUT_FILENO, diagnostics, file, options.limit,
                      "--limit 0 shows all");
  }
  std::cout.flush();
}

int check(const std::string& game, const CheckOptions& options, ProgressLine& progress) {
  const auto loaded = load_game(game);
  if (!loaded) {
    progress.print([&] { std::cerr << "ludens: " << loaded.error().text << '\n'; });
    return kCouldNot;
  }
  const Rulesheet& sheet = *loaded;
  const gdl::Diagnostics diagnostics = every_diagnostic(sheet);
  progress.print([&] { print(diagnostics, sheet.file, options); });
  return gdl::has_error(diagnostics) ? kNotGood : kGood;
}

}  // namespace

int check_command(const CheckOptions& options) {
  std::atomic<std::size_t> at{0};
  ProgressLine progress([&] {
    const std::size_t i = at;
    return options.games[i] + " (" + std::to_string(i + 1) + " of " +
           std::to_string(options.games.size()) + ")";
  });
  int result = kGood;
  for (std::size_t i = 0; i < options.games.size(); ++i) {
    at = i;
    result = std::max(result, check(options.games[i], options, progress));
  }
  return result;
}

}  // namespace ludens::server
