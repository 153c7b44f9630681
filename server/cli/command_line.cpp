#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>

namespace ludens::server {

int run_command_line(int argc, char** argv) {
  CLI::App app{"Ludens, a general game player", "ludens"};
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kWrongUse;
  }
  return kGood;
}

}  // namespace ludens::server
