// The program `ludens`.
#include <csignal>

#include "server/cli/command_line.h"
#include "server/cli/standard_output.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error like a full disk
  return ludens::server::flush_output(ludens::server::run_command_line(argc, argv));
}
