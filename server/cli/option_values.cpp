// SPDX-License-Identifier: MIT
#include "server/cli/option_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <regex>
#include <utility>

#include "gdl/registry/machines.h"
#include "gdl/text/nearest_name.h"
#include "search/registry/registry.h"
#include "server/http/network.h"
#include "server/match/player_spec.h"
#include "server/tournament/log.h"

namespace ludens::server {

namespace {

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The number as it is usually written, `10` for `010`, which CLI11 would read as octal. nullopt if
/// it is none, or not in the range.
std::optional<std::string> whole_in_range(const std::string& text, std::int64_t low,
                                          std::uint64_t high) {
  if (const auto value = parse<std::int64_t>(text); value && *value < 0) {
    return *value >= low ? std::optional(std::to_string(*value)) : std::nullopt;
  }
  const auto value = parse<std::uint64_t>(text);
  const bool inside =
      value && (low < 0 || *value >= static_cast<std::uint64_t>(low)) && *value <= high;
  return inside ? std::optional(std::to_string(*value)) : std::nullopt;
}

/// 0.001, 100000000.
std::string plain(double value) {
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  return {text, written.ptr};
}

/// `accepts` decides, and may rewrite the text; the help shows `range`, and a message says that
/// `wanted` is wanted.
template <class Accepts>
CLI::Validator validator(std::string range, std::string wanted, Accepts accepts) {
  return {[wanted = std::move(wanted), accepts](std::string& text) {
            return accepts(text) ? std::string() : "it takes " + wanted + ", not '" + text + "'";
          },
          std::move(range)};
}

std::string listed(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

}  // namespace

CLI::Validator whole(std::int64_t low, std::uint64_t high) {
  const std::string from = std::to_string(low), to = std::to_string(high);
  return validator(from + ".." + to, "a whole number from " + from + " to " + to,
                   [low, high](std::string& text) {
                     const auto value = whole_in_range(text, low, high);
                     if (value) text = *value;
                     return value.has_value();
                   });
}

CLI::Validator number(double low, double high) {
  return validator(plain(low) + ".." + plain(high),
                   "a number from " + plain(low) + " to " + plain(high),
                   [low, high](const std::string& text) {
                     const auto value = parse<double>(text);
                     return value && std::isfinite(*value) && *value >= low && *value <= high;
                   });
}

CLI::Validator one_of(std::vector<std::string> names) {
  const std::string range = listed(names, "|");
  return {[names = std::move(names)](std::string& text) {
            if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
            const std::string near = gdl::did_you_mean(text, names);
            return "it takes " + listed(names, ", ") + ", not '" + text + "'" + near;
          },
          range};
}

CLI::Validator machine_name() {
  return {[](std::string& text) { return gdl::find_machine_kind(text).error().text; }, "NAME"};
}

CLI::Validator expression() {
  return validator("REGEX", "a regular expression", [](const std::string& text) {
    try {
      const std::regex compiled(text);
      return true;
    } catch (const std::regex_error&) {
      return false;
    }
  });
}

CLI::Validator strategy() {
  return {[](std::string& text) { return search::parse_strategy(text).error().text; }, "STRATEGY"};
}

CLI::Validator player() {
  return {[](std::string& text) {
            const auto read = parse_player(text);
            return read ? std::string() : text + ": " + read.error().text;
          },
          "PLAYER"};
}

CLI::Validator network() {
  return {[](std::string& text) { return Network::parse(text).error().text; }, "NETWORK"};
}

CLI::Validator shard() {
  return validator("I/N", "I/N with 1 <= I <= N, as 2/4",
                   [](const std::string& text) { return parse_shard(text).has_value(); });
}

}  // namespace ludens::server
