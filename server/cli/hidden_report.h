// SPDX-License-Identifier: MIT
// What `ludens analyze` says about hidden information: how large beliefs get.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/rules/rules.h"
#include "search/hidden/belief_sizes.h"

namespace ludens::server {

/// The report for a game whose rules have `sees`.
struct HiddenReport {
  std::string machine;
  std::vector<std::string> roles;  // all but `random` have rows in `sizes.steps`
  search::hidden::BeliefSizes sizes;
  /// For the whole game; nullopt if it could not be followed, for the reason in `too_large`.
  std::optional<std::size_t> histories, information_sets;
  std::size_t largest_set = 0;  // histories in it
  std::string too_large;

  /// What `auto` plays with, and why.
  [[nodiscard]] std::string_view strategy() const;
  [[nodiscard]] std::string why() const;
};

struct HiddenReportOptions {
  double seconds = 5;
  std::uint64_t playouts = 0;  // at most; 0: as many as there is time for, up to a thousand
  std::uint64_t seed = 1;
  std::stop_token stop = {};
};

/// nullopt for a game in which nothing is hidden.
std::optional<HiddenReport> report_hidden(const std::shared_ptr<const gdl::Rules>& rules,
                                          const HiddenReportOptions& options);

void print_text(const HiddenReport& report);
/// {"machine":..,"playouts":N,"counted":N,"histories":N|null,"information_sets":N|null,
///  "largest_set":N|null,"roles":[{"role":..,"steps":[{"step":N,"met":N,"beyond":N,"at_least":N,
///  "mean":..,"largest":N},..]},..]}
boost::json::object to_json(const HiddenReport& report);

}  // namespace ludens::server
