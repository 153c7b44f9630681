// SPDX-License-Identifier: MIT
#include "server/player/status_page.h"

namespace ludens::server {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:3em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.2em 1.2em .2em 0;"
    "border-bottom:1px solid #ccc}code{background:#eee;padding:0 .3em}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}code{background:#333}}";

std::string row(const agent::MatchStatus& match) {
  return "<tr><td>" + escape_html(match.match_id) + "</td><td>" + escape_html(match.role) +
         "</td><td>" + std::to_string(match.step) + "</td><td>" + escape_html(match.thinking) +
         "</td></tr>\n";
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string status_page(std::string_view name, std::string_view version, bool available,
                        const std::vector<agent::MatchStatus>& matches) {
  const std::string title = escape_html(name);
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
      "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>" +
      std::string(kStyle) + "</style></head>\n<body><h1>" + title + "</h1>\n<p>Ludens " +
      escape_html(version) + ", a general game player. Status: <b>" +
      (available ? "available" : "busy") + "</b>.</p>\n";
  if (matches.empty()) {
    out += "<p>No match is running.";
  } else {
    out += "<table><tr><th>match</th><th>role</th><th>step</th><th>thinking</th></tr>\n";
    for (const agent::MatchStatus& match : matches) out += row(match);
    out += "</table>\n<p>";
  }
  return out +
         " A GGP host talks to this address with POST; try <code>curl -d '( INFO )'</code>.</p>\n"
         "</body></html>\n";
}

}  // namespace ludens::server
