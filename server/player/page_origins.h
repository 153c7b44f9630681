// SPDX-License-Identifier: MIT
// Which pages in browsers may talk to the player.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/http/head.h"

namespace ludens::server {

/// Any page that a person opens can send requests to this machine, and a browser says from where:
/// by `Origin` or, for a GET, by `Sec-Fetch-Site`. Requests without either are not from a page.
class PageOrigins {
 public:
  /// `allowed`: origins as browsers write them (`https://host.example:8080`), or `*` for all.
  explicit PageOrigins(std::vector<std::string> allowed);

  /// Whether the request is from no page, from one that is allowed, or typed by a person.
  [[nodiscard]] bool may_speak(const RequestHead& head) const;
  /// The origin for which a reply to the request has CORS headers; empty: none.
  [[nodiscard]] std::string reader_of(const RequestHead& head) const;

 private:
  [[nodiscard]] bool allows(std::string_view origin) const;

  std::vector<std::string> allowed_;
  bool any_ = false;
};

}  // namespace ludens::server
