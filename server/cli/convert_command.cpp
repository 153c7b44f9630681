// SPDX-License-Identifier: MIT
// `ludens convert`: a rulesheet in the other language.
#include "server/cli/commands.h"

#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <iostream>

#include "gdl/text/syntax.h"
#include "gdl/to_hrf/to_hrf.h"
#include "server/cli/diagnostic_lines.h"
#include "server/cli/exit_code.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace {

struct Converted {
  std::string text;
  std::size_t rules = 0;
  gdl::Diagnostics diagnostics;
};

Converted convert(const gdl::Rules& rules, bool to_hrf) {
  if (to_hrf) {
    gdl::WrittenHrf written = gdl::write_hrf(rules);
    return {std::move(written.text), written.statements, std::move(written.diagnostics)};
  }
  return {rules.source->text(), rules.forms.size(), {}};
}

/// The requested language; empty if none was given.
std::string wanted(const ConvertOptions& options) {
  if (!options.to.empty()) return options.to;
  const std::string ending =
      gdl::fold_case(std::filesystem::path(options.out).extension().string());
  if (ending == ".hrf") return "hrf";
  return ending == ".kif" || ending == ".gdl" ? "kif" : "";
}

void show(const gdl::Diagnostics& diagnostics, const std::string& file) {
  print_diagnostics(std::cerr, STDERR_FILENO, diagnostics, file, kMostDiagnostics,
                    "ludens check shows all");
}

}  // namespace

int convert_command(const ConvertOptions& options) {
  const auto loaded = load_game(options.game);
  if (!loaded) return fail(kCouldNot, loaded.error().text);
  const Rulesheet& sheet = *loaded;
  if (gdl::has_error(sheet.diagnostics)) {
    show(sheet.diagnostics, sheet.file);
    return kNotGood;
  }
  const std::string from = sheet.rules->source->is_translated() ? "hrf" : "kif";
  std::string to = wanted(options);
  if (to.empty()) to = from == "kif" ? "hrf" : "kif";
  if (to == from) {
    return fail(kWrongUse, sheet.file + " is in " + (to == "hrf" ? "HRF" : "prefix GDL") +
                               " already; --to " + (to == "hrf" ? "kif" : "hrf") +
                               " writes the other language");
  }
  if (options.json && options.out == "-") {
    return fail(kWrongUse, "--json and OUT - both want standard output; name a file");
  }
  const Converted converted = convert(*sheet.rules, to == "hrf");
  show(converted.diagnostics, sheet.file);
  if (gdl::has_error(converted.diagnostics)) return kNotGood;
  if (options.out == "-") {
    std::cout << converted.text;
  } else if (const auto error = write_atomically(options.out, converted.text, Durability::Synced)) {
    return fail(kCouldNot, options.out + ": " + error.message());
  }
  if (options.json) {
    std::cout << boost::json::serialize(
                     boost::json::object{{"from", from}, {"to", to}, {"rules", converted.rules}})
              << "\n";
  }
  return kGood;
}

}  // namespace ludens::server
