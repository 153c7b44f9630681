// SPDX-License-Identifier: MIT
#include "server/player/page_origins.h"

#include <algorithm>
#include <utility>

namespace ludens::server {

PageOrigins::PageOrigins(std::vector<std::string> allowed) : allowed_(std::move(allowed)) {
  any_ = std::ranges::find(allowed_, "*") != allowed_.end();
}

bool PageOrigins::allows(std::string_view origin) const {
  return any_ || std::ranges::find(allowed_, origin) != allowed_.end();
}

bool PageOrigins::may_speak(const RequestHead& head) const {
  if (const auto origin = head.headers.find("Origin")) return allows(*origin);
  const auto site = head.headers.find("Sec-Fetch-Site");
  return any_ || !site || *site == "none";
}

std::string PageOrigins::reader_of(const RequestHead& head) const {
  if (any_) return "*";
  const auto origin = head.headers.find("Origin");
  return origin && allows(*origin) ? std::string(*origin) : std::string();
}

}  // namespace ludens::server
