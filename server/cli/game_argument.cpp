#include "server/cli/game_argument.h"

#include <iostream>

#include "server/cli/command_line.h"

namespace ludens::server {

namespace {

constexpr int kMaxErrorsShown = 20;

void show_errors(const Rulesheet& sheet) {
  int shown = 0;
  for (const gdl::Diagnostic& diagnostic : sheet.diagnostics) {
    if (diagnostic.severity != gdl::Severity::Error || ++shown > kMaxErrorsShown) continue;
    std::cerr << gdl::format(diagnostic, sheet.file) << "\n";
  }
  if (shown > kMaxErrorsShown) {
    std::cerr << "ludens: " << sheet.file << ": " << shown - kMaxErrorsShown << " more errors\n";
  }
}

}  // namespace

std::variant<Rulesheet, int> load_playable(const std::string& game, bool forced) {
  auto loaded = load_game(game);
  if (const auto* problem = std::get_if<std::string>(&loaded)) {
    std::cerr << "ludens: " << *problem << "\n";
    return kCouldNot;
  }
  Rulesheet& sheet = std::get<Rulesheet>(loaded);
  if (gdl::has_error(sheet.diagnostics)) {
    show_errors(sheet);
    if (!forced) {
      std::cerr << "ludens: " << sheet.file << ": the rulesheet has errors; --force plays it "
                << "all the same\n";
      return kNotGood;
    }
  }
  if (sheet.rules->roles.empty()) {
    std::cerr << "ludens: " << sheet.file << ": there are no roles to play\n";
    return kNotGood;
  }
  return std::move(sheet);
}

}  // namespace ludens::server
