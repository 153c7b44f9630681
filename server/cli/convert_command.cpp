// SPDX-License-Identifier: MIT
// `ludens convert`: a rulesheet in another language.
#include "server/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "gdl/text/syntax.h"
#include "gdl/to_hrf/to_hrf.h"
#include "gdl/to_hrf/to_infix.h"
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

/// What the options call a language.
struct Language {
  gdl::Dialect dialect;
  const char* name;
};
constexpr Language kLanguages[] = {{gdl::Dialect::Prefix, "kif"},
                                   {gdl::Dialect::Hrf, "hrf"},
                                   {gdl::Dialect::Infix, "infix"},
                                   {gdl::Dialect::Prolog, "prolog"},
                                   {gdl::Dialect::Simultaneous, "simultaneous"}};

const char* option_of(gdl::Dialect dialect) {
  return std::ranges::find(kLanguages, dialect, &Language::dialect)->name;
}

Converted convert(const gdl::Rules& rules, gdl::Dialect to) {
  if (to == gdl::Dialect::Prefix) return {rules.source->text(), rules.forms.size(), {}};
  gdl::WrittenHrf written =
      to == gdl::Dialect::Hrf ? gdl::write_hrf(rules) : gdl::write_infix(rules, to);
  return {std::move(written.text), written.statements, std::move(written.diagnostics)};
}

/// The requested language; without a request, HRF for prefix GDL, and prefix GDL for all others.
gdl::Dialect wanted(const ConvertOptions& options, gdl::Dialect from) {
  const auto* const known =
      std::ranges::find_if(kLanguages, [&](const Language& l) { return options.to == l.name; });
  if (known != std::end(kLanguages)) return known->dialect;
  const std::string ending =
      gdl::fold_case(std::filesystem::path(options.out).extension().string());
  if (ending == ".hrf") return gdl::Dialect::Hrf;
  if (ending == ".pl") return gdl::Dialect::Prolog;
  const bool prefix = ending == ".kif" || ending == ".gdl";
  return prefix || from != gdl::Dialect::Prefix ? gdl::Dialect::Prefix : gdl::Dialect::Hrf;
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
  const gdl::Dialect to = wanted(options, sheet.dialect);
  if (to == sheet.dialect) {
    return fail(kWrongUse, sheet.file + " is in " + std::string(gdl::name_of(to)) +
                               " already; --to " + (to == gdl::Dialect::Prefix ? "hrf" : "kif") +
                               " writes another language");
  }
  if (options.json && options.out == "-") {
    return fail(kWrongUse, "--json and OUT - both want standard output; name a file");
  }
  const Converted converted = convert(*sheet.rules, to);
  show(converted.diagnostics, sheet.file);
  if (gdl::has_error(converted.diagnostics)) return kNotGood;
  if (options.out == "-") {
    std::cout << converted.text;
  } else if (const auto error = write_atomically(options.out, converted.text, Durability::Synced)) {
    return fail(kCouldNot, options.out + ": " + error.message());
  }
  if (options.json) {
    std::cout << boost::json::serialize(boost::json::object{{"from", option_of(sheet.dialect)},
                                                            {"to", option_of(to)},
                                                            {"rules", converted.rules}})
              << "\n";
  }
  return kGood;
}

}  // namespace ludens::server
