#include "server/cli/check_command.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>

#include "server/cli/command_line.h"
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

}  // namespace

int check_command(const CheckOptions& options) {
  int result = kGood;
  for (const std::string& game : options.games) {
    const auto loaded = load_game(game);
    if (const auto* failure = std::get_if<std::string>(&loaded)) {
      std::cerr << "ludens: " << *failure << '\n';
      result = kCouldNot;
      continue;
    }
    const auto& sheet = std::get<Rulesheet>(loaded);
    for (const gdl::Diagnostic& d : every_diagnostic(sheet)) {
      if (options.json) {
        print_json(d, sheet.file);
      } else {
        std::cout << gdl::format(d, sheet.file) << '\n';
      }
    }
    if (gdl::has_error(sheet.diagnostics) && result == kGood) result = kNotGood;
  }
  std::cout.flush();
  return result;
}

}  // namespace ludens::server
