// SPDX-License-Identifier: MIT
#include "server/match/dialect.h"

#include <array>

namespace ludens::server {

using std::chrono::milliseconds;

const HostDialect kGgpDialect{.name = "ggp",
                              .headers = Dialect::GgpBase,
                              .upper_case = false,
                              .has_preview_and_abort = true,
                              .replaces_at_random = true,
                              .connect_limit = milliseconds(5000),
                              .start_slack = milliseconds(0),
                              .play_slack = milliseconds(1000),
                              .percepts = PerceptForm::WithOwnMove};

const HostDialect kDresdenDialect{.name = "dresden",
                                  .headers = Dialect::Dresden,
                                  .upper_case = true,
                                  .has_preview_and_abort = false,
                                  .replaces_at_random = false,
                                  .connect_limit = milliseconds(2000),
                                  .start_slack = milliseconds(1000),
                                  .play_slack = milliseconds(1000),
                                  .percepts = PerceptForm::WithOwnMove};

namespace {

HostDialect dresden_of_2011() {
  HostDialect dialect = kDresdenDialect;
  dialect.name = "dresden-2011";
  dialect.percepts = PerceptForm::InPlaceOfMoves;
  return dialect;
}

}  // namespace

const HostDialect kDresden2011Dialect = dresden_of_2011();

std::span<const std::string_view> dialect_names() {
  static constexpr std::array<std::string_view, 3> kNames{"ggp", "dresden", "dresden-2011"};
  return kNames;
}

const HostDialect* find_dialect(std::string_view name) {
  for (const HostDialect* dialect : {&kGgpDialect, &kDresdenDialect, &kDresden2011Dialect}) {
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
