// SPDX-License-Identifier: MIT
#include "server/match/dialect.h"

namespace ludens::server {

using std::chrono::milliseconds;

const HostDialect kGgpDialect{.name = "ggp",
                              .headers = Dialect::GgpBase,
                              .upper_case = false,
                              .has_preview_and_abort = true,
                              .replaces_at_random = true,
                              .connect_limit = milliseconds(5000),
                              .start_slack = milliseconds(0),
                              .play_slack = milliseconds(1000)};

const HostDialect kDresdenDialect{.name = "dresden",
                                  .headers = Dialect::Dresden,
                                  .upper_case = true,
                                  .has_preview_and_abort = false,
                                  .replaces_at_random = false,
                                  .connect_limit = milliseconds(2000),
                                  .start_slack = milliseconds(1000),
                                  .play_slack = milliseconds(1000)};

const HostDialect* find_dialect(std::string_view name) {
  for (const HostDialect* dialect : {&kGgpDialect, &kDresdenDialect}) {
    if (dialect->name == name) return dialect;
  }
  return nullptr;
}

std::string in_dialect(const HostDialect& dialect, std::string message) {
  if (!dialect.upper_case) return message;
  for (char& c : message) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return message;
}

}  // namespace ludens::server
