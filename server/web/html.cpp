// SPDX-License-Identifier: MIT
#include "server/web/html.h"

#include <boost/algorithm/string/replace.hpp>

#include "server/player/status_page.h"
#include "server/web/page_files.h"

namespace ludens::server {

namespace {

void add_script(std::string& out, std::string_view script) {
  out += "<script>\n";
  out += script;
  out += "</script>\n";
}

}  // namespace

std::string page_html(std::string_view title, std::string_view subtitle, std::string_view data,
                      bool charts, const std::vector<std::string_view>& scripts) {
  const std::string heading = escape_html(title);
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      heading + "</title>\n<style>\n";
  if (charts) out += kChartsStyle;
  out += kPageStyle;
  out += "</style></head>\n<body>\n<header><h1>" + heading + "</h1><p>" + escape_html(subtitle) +
         "</p></header>\n<main></main>\n<script type=\"application/json\" id=\"data\">";
  // The data would end at the first `</script`, and be misread after a `<!--`.
  out += boost::algorithm::replace_all_copy(std::string(data), "<", "\\u003c");
  out += "</script>\n";
  if (charts) add_script(out, kChartsScript);
  for (const std::string_view script : scripts) add_script(out, script);
  return out + "</body></html>\n";
}

}  // namespace ludens::server
