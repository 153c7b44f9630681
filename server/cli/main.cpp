// The program `ludens`.
#include "server/cli/command_line.h"

int main(int argc, char** argv) {
  return ludens::server::run_command_line(argc, argv);
}
