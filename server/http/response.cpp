// SPDX-License-Identifier: MIT
#include "server/http/response.h"

#include <boost/beast/http/status.hpp>
#include <utility>

namespace ludens::server {

void add_cors_headers(Headers& headers, std::string origin) {
  if (origin != "*") headers.add("Vary", "Origin");
  headers.add("Access-Control-Allow-Origin", std::move(origin));
  headers.add("Access-Control-Allow-Methods", "POST, GET, OPTIONS");
  headers.add("Access-Control-Allow-Headers", "Content-Type");
  headers.add("Access-Control-Allow-Age", "86400");  // what ggp-base calls it
  headers.add("Access-Control-Max-Age", "86400");
  // Browsers ask for this before a page of the internet may talk to a local network.
  headers.add("Access-Control-Allow-Private-Network", "true");
}

void add_page_headers(Headers& headers) {
  headers.add("Cache-Control", "no-store");
  headers.add("Content-Security-Policy",
              "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
              "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
              "frame-ancestors 'none'");
  headers.add("Cross-Origin-Resource-Policy", "same-origin");
  headers.add("Referrer-Policy", "no-referrer");
  headers.add("X-Content-Type-Options", "nosniff");
  headers.add("X-Frame-Options", "DENY");
}

std::string print_head(const Response& response, Audience audience) {
  const auto reason =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(response.status));
  std::string out = audience == Audience::Hosts ? "HTTP/1.0 " : "HTTP/1.1 ";
  out += std::to_string(response.status) + " ";
  out.append(reason.data(), reason.size());
  const auto add = [&](const std::string& name, const std::string& value) {
    out += "\r\n" + name + ": " + value;
  };
  if (response.status != 204) {
    add("Content-Type", response.content_type);
    if (!response.opened) add("Content-Length", std::to_string(response.body.size()));
  }
  add("Connection", "close");
  for (const auto& [name, value] : response.headers.fields()) add(name, value);
  return out + "\r\n\r\n";
}

}  // namespace ludens::server
