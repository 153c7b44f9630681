// SPDX-License-Identifier: MIT
#include "search/strategy/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "gdl/text/nearest_name.h"

namespace ludens::search {

namespace {

constexpr OptionInfo kCommonOptions[] = {
    {"machine", "auto", "interpreter, scalar, sliced or auto: the fastest that is ready",
     "auto|interpreter|scalar|sliced"},
    {"threads", "1", "threads of the search", "1..1024"},
    {"seed", "0", "seed of all random choices of the search; 0: from the system"},
    {"seconds", "0", "cap on thinking time per move; 0: only the clock", "0.0.."},
    {"playouts", "0", "cap on playouts per move, for repeatable matches; 0: none"},
    {"depth", "0", "cap on depth in joint moves; 0: none", "0..1000000"},
    {"threshold", "100", "a goal of at least this is as good as the best", "1..100"},
    {"ties", "random", "first or random: which of equally good moves is taken", "first|random"},
    {"knowledge", "auto",
     "what was learned about the game before: a file of `ludens learn`, auto (the one of this game "
     "in "
     "the folder of knowledge, unless counts limit the search) or none",
     "*"},
};

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(static_cast<double>(value))) return std::nullopt;  // "inf", "nan"
  return value;
}

/// LOW..HIGH of an option that is a number; nullopt for one that is a word.
struct Range {
  std::string_view low, high;
};

std::optional<Range> range_of(std::string_view values) {
  const std::size_t dots = values.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  return Range{values.substr(0, dots), values.substr(dots + 2)};
}

template <class Number>
bool in_range(std::string_view text, const Range& range) {
  const auto value = parse_number<Number>(text);
  return value && *value >= *parse_number<Number>(range.low) &&
         (range.high.empty() || *value <= *parse_number<Number>(range.high));
}

bool is_word_of(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::size_t bar = words.find('|');
    if (text == words.substr(0, bar)) return true;
    words = bar == std::string_view::npos ? std::string_view{} : words.substr(bar + 1);
  }
  return false;
}

bool accepts(const OptionInfo& option, std::string_view text) {
  if (option.values == "*") return !text.empty();
  const auto range = range_of(option.values);
  if (!range) return is_word_of(text, option.values);
  if (range->low.find('.') != std::string_view::npos) return in_range<double>(text, *range);
  return in_range<std::uint64_t>(text, *range);
}

std::string expected(const OptionInfo& option) {
  if (option.values == "*") return "a text";
  const auto range = range_of(option.values);
  if (!range) return "one of " + std::string(option.values);
  const bool whole = range->low.find('.') == std::string_view::npos;
  std::string text = whole ? "a whole number" : "a number";
  if (range->high.empty()) return text + " of at least " + std::string(range->low);
  return text + " from " + std::string(range->low) + " to " + std::string(range->high);
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

std::span<const OptionInfo> common_options() {
  return kCommonOptions;
}

gdl::Result<Options> Options::read(std::string_view strategy, std::span<const OptionInfo> own,
                                   const OptionTexts& given) {
  std::vector<const OptionInfo*> known;
  for (const OptionInfo& option : common_options()) known.push_back(&option);
  for (const OptionInfo& option : own) known.push_back(&option);
  for (const auto& [key, value] : given) {
    const auto found = std::ranges::find(known, std::string_view(key), &OptionInfo::key);
    if (found == known.end()) {
      std::vector<std::string_view> keys;
      keys.reserve(known.size());
      for (const OptionInfo* option : known) keys.push_back(option->key);
      return gdl::Error{"strategy " + quoted(strategy) + " has no option " + quoted(key) +
                        gdl::did_you_mean(key, keys)};
    }
    if (!accepts(**found, value)) {
      return gdl::Error{"option " + quoted(key) + " of strategy " + quoted(strategy) + " is " +
                        expected(**found) + ", not " + quoted(value)};
    }
  }
  Options options;
  for (const OptionInfo* option : known) {
    const auto value = given.find(option->key);
    options.values_[std::string(option->key)] =
        value != given.end() ? value->second : std::string(option->standard);
  }
  return options;
}

const std::string& Options::text(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw std::logic_error("no option " + std::string(key));
  return found->second;
}

std::uint64_t Options::count(std::string_view key) const {
  return parse_number<std::uint64_t>(text(key)).value();
}

std::uint64_t Options::count(std::string_view key, std::uint64_t times) const {
  const std::uint64_t one = count(key);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return one > most / times ? most : one * times;
}

double Options::number(std::string_view key) const {
  return parse_number<double>(text(key)).value();
}

bool Options::on(std::string_view key) const {
  const std::string& value = text(key);
  if (value != "on" && value != "off") throw std::logic_error(std::string(key) + " is no switch");
  return value == "on";
}

Ties Options::ties() const {
  return text("ties") == "first" ? Ties::First : Ties::Random;
}

gdl::Rng Options::rng() const {
  const std::uint64_t seed = count("seed");
  if (seed != 0) return gdl::Rng(seed);
  std::random_device device;
  return gdl::Rng((std::uint64_t{device()} << 32) | device());
}

}  // namespace ludens::search
