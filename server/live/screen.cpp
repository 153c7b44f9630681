// SPDX-License-Identifier: MIT
#include "server/live/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "gdl/text/file.h"

namespace ludens::server {

bool is_screen(int file) {
  const char* kind = std::getenv("TERM");
  return ::isatty(file) == 1 && kind != nullptr && *kind != '\0' &&
         std::string_view(kind) != "dumb";
}

bool wants_colour() {
  const char* forbidden = std::getenv("NO_COLOR");
  return forbidden == nullptr || *forbidden == '\0';
}

ScreenShape screen_shape(int file) {
  ScreenShape shape;
  shape.colour = wants_colour();
  struct winsize size = {};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    shape.columns = size.ws_col;
    shape.rows = size.ws_row;
  }
  return shape;
}

void put_text(int file, std::string_view text) {
  gdl::write_all(file, text);
}

}  // namespace ludens::server
