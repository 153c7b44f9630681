// What `analyze` says of a game's network.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <vector>

#include "gdl/network/network.h"
#include "gdl/network/structure.h"

namespace ludens::server {

struct NetworkReport {
  /// The network after a pass; the first is as it was built.
  struct Stage {
    std::string pass;
    gdl::NetworkSize size;
    std::size_t fluents = 0, moves = 0;
    double milliseconds = 0;
  };
  std::string refused;  // why there is none
  std::vector<Stage> stages;
  std::vector<std::string> differences;  // found by --verify: none, or there is a bug
  bool verified = false;
  gdl::Structure structure;
  std::shared_ptr<gdl::Vocabulary> vocabulary;  // of the structure
  std::string dot;                              // if asked for
};

struct NetworkReportOptions {
  double seconds = 5;   // beyond, the network is given up
  bool verify = false;  // compare before and after each pass in random games
  bool dot = false;
  std::vector<std::string> skip;  // passes that are left out
};

NetworkReport report_network(std::shared_ptr<const gdl::Rules> rules,
                             const NetworkReportOptions& options);
boost::json::object to_json(const NetworkReport& report);
void print_text(const NetworkReport& report);

}  // namespace ludens::server
