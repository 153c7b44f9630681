// SPDX-License-Identifier: MIT
#include "server/gamemaster/page.h"

#include <boost/json.hpp>

#include "server/web/html.h"
#include "server/web/page_files.h"

namespace ludens::server {

std::string gamemaster_page(std::string_view origin) {
  const boost::json::object data{{"origin", origin}, {"worker", kGamemasterWorkerScript}};
  return page_html("Ludens on Gamemaster", "a general game player on this machine",
                   boost::json::serialize(data), false,
                   {kBoardScript, kViewerScript, kGamemasterScript});
}

std::string gamemaster_window(std::string_view origin) {
  return page_html("Ludens for Gamemaster", "a general game player on this machine",
                   boost::json::serialize(boost::json::object{{"origin", origin}}), false,
                   {kBoardScript, kGamemasterWindowScript});
}

}  // namespace ludens::server
