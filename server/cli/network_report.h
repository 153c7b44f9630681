// SPDX-License-Identifier: MIT
// What `analyze` says about a game's network.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gdl/pipeline/pipeline.h"

namespace ludens::server {

struct NetworkReport {
  std::string refused;                   // why there is none
  std::vector<gdl::StageReport> stages;  // in the order in which they were run
  std::vector<std::string> differences;  // found by --verify: none, or there is a bug
  bool verified = false;
  std::shared_ptr<const gdl::Structure> structure;  // null: refused
  std::shared_ptr<gdl::Vocabulary> vocabulary;      // of the structure
  std::string dot;                                  // if asked for
};

struct NetworkReportOptions {
  double seconds = 5;   // beyond that, the network is abandoned
  bool verify = false;  // compare before and after each pass in random games
  bool dot = false;
  std::vector<std::string> skip;  // passes that are left out
  std::stop_token stop = {};      // abandons the network, too
};

NetworkReport report_network(std::shared_ptr<const gdl::Rules> rules,
                             const NetworkReportOptions& options);
boost::json::object to_json(const NetworkReport& report);
void print_text(const NetworkReport& report);

}  // namespace ludens::server
